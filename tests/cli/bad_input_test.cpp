#include "cli/support.hpp"

#include <gmock/gmock.h>

namespace drydock::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class BadInput : public CliTest {
protected:
    /// Every bad file is exit code 2 and a message that names file and place, from every command.
    void expect_refused(const std::string& text, const std::string& place) {
        const std::string bad = file("bad.json", text);
        for (const char* command : {"run", "replay", "explore"}) {
            const Called called = call({command, bad});
            EXPECT_EQ(called.code, 2) << command;
            EXPECT_THAT(called.err, HasSubstr(bad));
            EXPECT_THAT(called.err, HasSubstr(place));
            EXPECT_EQ(called.out, "");
        }
    }
    void expect_refused(const json& document, const std::string& place) {
        expect_refused(document.dump(), place);
    }
};

TEST_F(BadInput, MisspeltFate) {
    expect_refused(planned_scenario("p[k]/container_start#1/fate", "replylost"),
                   "/plan/0/choose: unknown fate \"replylost\"; did you mean \"reply_lost\"?");
}

TEST_F(BadInput, UnknownField) {
    json document = small_scenario();
    document["proceses"] = 1;
    expect_refused(document, "/proceses");
}

TEST_F(BadInput, NegativeDuration) {
    json document = small_scenario();
    document["client"]["request_timeout"] = "-2s";
    expect_refused(document, "/client/request_timeout");
}

TEST_F(BadInput, ProcessTwice) {
    json document = small_scenario();
    document["processes"].push_back(document["processes"][0]);
    expect_refused(document, "/processes/1/name");
}

TEST_F(BadInput, ActorTwice) {
    json document = small_scenario();
    json& actors = document["processes"][0]["actors"];
    actors.push_back(json(actors[0]));
    expect_refused(document, "/processes/0/actors/1/name");
}

TEST_F(BadInput, TruncatedJson) {
    const std::string text = small_scenario().dump();
    expect_refused(text.substr(0, text.size() / 2), "bad.json:1:");
}

TEST_F(BadInput, HundredThousandOpenBrackets) {
    expect_refused(std::string(100'000, '['), "bad.json:1:");
    expect_refused(std::string(100'000, '{'), "bad.json:1:");
}

TEST_F(BadInput, EmptyFile) { expect_refused(std::string(), "bad.json"); }

TEST_F(BadInput, NoSuchFile) {
    const Called called = call({"run", path("nothing.json")});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr("nothing.json"));
}

TEST_F(BadInput, BadPlanFile) {
    const std::string good = file("good.json", small_scenario());
    const Called called = call({"run", good, "--plan", file("plan.json", std::string("{}"))});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr("plan.json"));
}

TEST_F(BadInput, UnknownNamesSayWhatIsKnown) {
    const std::string good = file("good.json", small_scenario());
    const Called client = call({"run", good, "--client", "librari"});
    EXPECT_EQ(client.code, 2);
    EXPECT_THAT(client.err, HasSubstr("did you mean \"library\"?"));
    const Called backend = call({"explore", "--backend", "podman"});
    EXPECT_EQ(backend.code, 2);
    EXPECT_THAT(backend.err, HasSubstr("known: docker"));
    const Called strategy = call({"explore", "--strategy", "sweep"});
    EXPECT_EQ(strategy.code, 2);
    EXPECT_THAT(strategy.err, HasSubstr("available: random"));
}

TEST_F(BadInput, Usage) {
    const std::string good = file("good.json", small_scenario());
    EXPECT_EQ(call({}).code, 2);
    EXPECT_EQ(call({"run"}).code, 2);
    EXPECT_EQ(call({"run", good, "--fidelity", "wire"}).code, 2);
    EXPECT_EQ(call({"run", good, "--fast"}).code, 2);
    EXPECT_EQ(call({"explore", "--runs", "many"}).code, 2);
    EXPECT_EQ(call({"explore", "--runs", "-1"}).code, 2);
    EXPECT_EQ(call({"explore", "--runs", "99999999999999999999"}).code, 2);
    EXPECT_EQ(call({"explore", "--max-choices", "-1"}).code, 2);
    EXPECT_EQ(call({"gate", "--plans", "1.5"}).code, 2);
    EXPECT_EQ(call({"explore", "--budget", "60"}).code, 2);
    const Called misspelt = call({"relay"});
    EXPECT_EQ(misspelt.code, 2);
    EXPECT_THAT(misspelt.err, HasSubstr("did you mean \"replay\"?"));
}

TEST_F(BadInput, HelpIsNoError) {
    for (const char* command : {"run", "replay", "explore", "gate", "mutants", "list", "digests"}) {
        const Called called = call({command, "--help"});
        EXPECT_EQ(called.code, 0) << command;
        EXPECT_THAT(called.out, HasSubstr("Examples:")) << command;
    }
    EXPECT_THAT(call({"--help"}).out, testing::Not(HasSubstr("digests")));
    EXPECT_EQ(call({"--version"}).code, 0);
}

TEST_F(BadInput, OutputThatCannotBeWritten) {
    const std::string good = file("good.json", small_scenario());
    const Called called = call({"run", good, "--json", good + "/outcome.json"});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace drydock::cli
