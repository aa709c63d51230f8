#include "cli/support.hpp"

#include <drydock/sim/backends.hpp>

#include <gmock/gmock.h>

#include <sys/stat.h>

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

TEST_F(BadInput, NamesThatAreNotRegistered) {
    json document = small_scenario();
    document["expect"] = {{"legacy", {{"strix-786", {"no_leak"}}}}};
    expect_refused(document,
                   "/expect/legacy/strix-786: unknown client \"strix-786\"; did you "
                   "mean \"strix-768\"?");
    document["expect"] = {{"legacy", {{"strix-768", {"bounded", "no_leek"}}}}};
    expect_refused(document,
                   "/expect/legacy/strix-768/1: unknown invariant \"no_leek\"; did you "
                   "mean \"no_leak\"?");
    document["expect"] = {{"by_kind", {{"docker", document["expect"]}}}};
    expect_refused(document, "/expect/by_kind/docker/legacy/strix-768/1: unknown invariant");
    document.erase("expect");
    document["found"] = {{"client", "librari"},
                         {"invariant", "no_leak"},
                         {"subject", "sandbox 1"},
                         {"digest", "0123456789abcdef"}};
    expect_refused(document,
                   "/found/client: unknown client \"librari\"; did you mean "
                   "\"library\"?");
    document["found"]["client"] = "library";
    document["found"]["invariant"] = "nope";
    expect_refused(document, "/found/invariant: unknown invariant \"nope\"");
}

TEST_F(BadInput, NamesOfOnesOwnClientsAreKnown) {
    json document = small_scenario();
    document["expect"] = {{"legacy", {{"mine", {"no_leak"}}}}};
    const std::string name = file("mine.json", document);
    sim::BackendRegistry backends;
    sim::register_builtin_backends(backends);
    scenarios::ClientRegistry clients = scenarios::builtin_clients();
    EXPECT_EQ(call({"run", name}, backends, clients).code, 2);
    scenarios::ClientKind mine = *clients.find("library");
    mine.name = "mine";
    clients.add(mine);
    EXPECT_EQ(call({"run", name}, backends, clients).code, 0);
}

TEST_F(BadInput, NumberThatIsTooLarge) {
    const std::string good = small_scenario().dump();
    for (const char* number : {"99999999999999999999", "-99999999999999999999", "1e30"}) {
        const std::string client = R"({"client": {"attempts": )" + std::string(number) + "},";
        expect_refused(client + good.substr(1), "is out of range (1 to 1000)");
    }
}

TEST_F(BadInput, WhatTheFileSystemRefuses) {
    std::filesystem::create_symlink("loop", path("loop"));
    for (const char* command : {"run", "replay", "explore"}) {
        const Called called = call({command, path("loop")});
        EXPECT_EQ(called.code, 2) << command;
        EXPECT_THAT(called.err,
                    HasSubstr(path("loop") + ": cannot be read: Too many levels of symbolic links"))
            << command;
    }
    const Called written = call({"list", "--json", path("loop") + "/list.json"});
    EXPECT_EQ(written.code, 2);
    EXPECT_THAT(written.err, HasSubstr("Too many levels of symbolic links"));
}

TEST_F(BadInput, ACorpusThatIsNotThere) {
    const std::string text = file("text", std::string("no scenario"));
    for (const char* command : {"list", "gate"}) {
        const Called nowhere = call({command, "--corpus", path("nowhere")});
        EXPECT_EQ(nowhere.code, 2) << command;
        EXPECT_THAT(nowhere.err, HasSubstr("nowhere: cannot be read: No such file")) << command;
        EXPECT_EQ(call({command, "--corpus", text}).code, 2) << command;
    }
}

TEST_F(BadInput, EmptyValueOfAnyOption) {
    const std::string good = file("good.json", small_scenario());
    const std::vector<std::pair<std::string, std::string>> options{
        {"run", "--client"},     {"run", "--json"},        {"run", "--out"},
        {"run", "--plan"},       {"replay", "--trace"},    {"replay", "--backend"},
        {"explore", "--budget"}, {"explore", "--backend"}, {"gate", "--corpus"},
        {"list", "--corpus"},    {"mutants", "--source"}};
    for (const auto& [command, option] : options) {
        const Called called = call({command, option, ""});
        EXPECT_EQ(called.code, 2) << command << option;
        EXPECT_THAT(called.err, HasSubstr(option + ": must not be empty")) << command;
    }
    const Called called = call({"run", ""});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr("SCENARIO: must not be empty"));
}

TEST_F(BadInput, NothingToDo) {
    for (const auto& [command, option] :
         {std::pair("explore", "--runs"), std::pair("digests", "--plans"),
          std::pair("mutants", "--runs")}) {
        const Called called = call({command, option, "0"});
        EXPECT_EQ(called.code, 2) << command;
        EXPECT_THAT(called.err, HasSubstr(std::string(option) + ": must be at least 1"));
    }
}

TEST_F(BadInput, UnknownOptionBeforeASubcommand) {
    const Called called = call({"--bogus"});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr("unknown option \"--bogus\""));
    EXPECT_THAT(call({"--vresion"}).err, HasSubstr("did you mean \"--version\"?"));
}

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

TEST_F(BadInput, PlanForOtherActors) {
    const std::string good = file("good.json", small_scenario());
    const auto run_with = [&](const json& plan) {
        return call({"run", good, "--plan", file("plan.json", plan)});
    };
    json plan = {{{"at", "p[k]/container_create#1/cancel"}, {"choose", "in_flight@nobody"}}};
    EXPECT_EQ(run_with(plan).code, 2);
    EXPECT_THAT(run_with(plan).err, HasSubstr("plan.json: /0/choose: p has no actor \"nobody\""));
    EXPECT_THAT(run_with({{"plan", plan}}).err, HasSubstr("plan.json: /plan/0/choose"));
    plan[0]["choose"] = "in_flight@a";
    EXPECT_NE(run_with(plan).code, 2);
    EXPECT_EQ(run_with(json::array()).code, 0);
    const Called unknown = run_with({{"plan", json::array()}, {"nothing", 1}});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("plan.json: /nothing: unknown field"));
}

TEST_F(BadInput, WhatIsNoRegularFile) {
    const std::string good = file("good.json", small_scenario());
    ASSERT_EQ(mkfifo(path("pipe").c_str(), S_IRUSR | S_IWUSR), 0);
    const std::vector<std::vector<std::string>> all{{"run", path("pipe")},
                                                    {"run", "/dev/null"},
                                                    {"run", good, "--plan", path("pipe")},
                                                    {"replay", path("pipe")},
                                                    {"explore", path("pipe")}};
    for (const auto& arguments : all) {
        const Called called = call(arguments);
        EXPECT_EQ(called.code, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(called.err, HasSubstr("is no regular file"));
    }
    EXPECT_EQ(call({"run", "-"}).code, 2);
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
    EXPECT_THAT(call({"--help"}).out, HasSubstr("run a job twice"));
    EXPECT_EQ(call({"--version"}).code, 0);
}

TEST_F(BadInput, OutputThatCannotBeWritten) {
    const std::string good = file("good.json", small_scenario());
    const std::string bad = good + "/there";
    const std::vector<std::vector<std::string>> all{
        {"run", good, "--json", bad},
        {"run", good, "--out", bad},
        {"explore", good, "--json", bad},
        {"explore", good, "--out", bad},
        {"replay", good, "--client", "library", "--json", bad},
        {"replay", good, "--client", "library", "--trace", bad},
        {"list", "--json", bad}};
    for (const auto& arguments : all) {
        const Called called = call(arguments);
        EXPECT_EQ(called.code, 2);
        EXPECT_THAT(called.err, HasSubstr(bad));
        EXPECT_THAT(called.err, HasSubstr("cannot be written: Not a directory"));
        EXPECT_EQ(called.out, "") << testing::PrintToString(arguments);  // nothing has run
    }
}

TEST_F(BadInput, LeavesNoEmptyReport) {
    EXPECT_EQ(call({"run", path("nothing.json"), "--json", path("o.json")}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(path("o.json")));
    file("old.json", std::string("old"));
    EXPECT_EQ(call({"run", path("nothing.json"), "--json", path("old.json")}).code, 2);
    EXPECT_EQ(text_of("old.json"), "old");
}

}  // namespace
}  // namespace drydock::cli
