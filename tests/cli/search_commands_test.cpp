#include "cli/support.hpp"

#include <gmock/gmock.h>

namespace drydock::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using SearchCommands = CliTest;

std::string find_line(const std::string& text) {
    const std::size_t at = text.find("drydock replay ");
    const std::size_t begin = at + std::string("drydock replay ").size();
    return at == std::string::npos ? "" : text.substr(begin, text.find('\n', at) - begin);
}

TEST_F(SearchCommands, ExploreFindsWhatALegacyClientBreaksAndReplayRepeatsIt) {
    const std::vector<std::string> explore{"explore",  file("small.json", small_scenario()),
                                           "--client", "strix-768",
                                           "--out",    path("out")};
    const Called found = call(explore);
    ASSERT_EQ(found.code, 1) << found.out << found.err;
    const std::string capsule = find_line(found.out);
    const Called replayed = call({"replay", capsule, "--json", path("replay.json")});
    EXPECT_EQ(replayed.code, 1);
    EXPECT_THAT(replayed.out, HasSubstr("BROKEN"));
    EXPECT_THAT(replayed.out, HasSubstr("\nreproduced: the capsule was found with "));
    const json again = json::parse(text_of("replay.json"));
    EXPECT_EQ(again["results"][0]["digest"],
              json::parse(std::ifstream(capsule))["found"]["digest"]);
    const json searched = json::parse(text_of("out/outcome.json"));
    EXPECT_EQ(searched["results"].size(), 1U);
    EXPECT_EQ(searched["closure"]["complete"], false);
    EXPECT_FALSE(searched["coverage"]["choices_by_kind"].empty());
}

TEST_F(SearchCommands, WhatIsBrokenWithoutFaultsIsNoFind) {
    json scenario = small_scenario();
    scenario["processes"][0]["actors"][0]["steps"] = {{{"acquire", "k"}}};  // nobody releases it
    const Called called = call({"explore", file("leaks.json", scenario), "--client", "strix-768",
                                "--runs", "50", "--out", path("out"), "--json", path("o.json")});
    EXPECT_EQ(called.code, 0) << called.out;
    EXPECT_GT(json::parse(text_of("o.json"))["coverage"]["dismissed"], 0);
}

TEST_F(SearchCommands, ABudgetThatIsSpentIsZero) {
    const Called called =
        call({"explore", file("small.json", small_scenario()), "--budget", "1ms", "--json", "-"});
    EXPECT_EQ(called.code, 0);
    EXPECT_EQ(json::parse(called.out)["closure"]["complete"], false);
}

TEST_F(SearchCommands, ReplayNeedsToKnowWho) {
    const std::string name = file("small.json", small_scenario());
    const Called nobody = call({"replay", name});
    EXPECT_EQ(nobody.code, 2);
    EXPECT_THAT(nobody.err, HasSubstr("--client"));
    const Called library = call(
        {"replay", name, "--client", "library", "--trace", path("trace"), "--out", path("out")});
    EXPECT_EQ(library.code, 0);
    EXPECT_THAT(library.out, HasSubstr("1.      0.000s  p/a calls acquire(k)"));
    EXPECT_THAT(library.out, testing::EndsWith("\nno invariant is broken\n"));
    EXPECT_THAT(text_of("trace"), HasSubstr("0ns process_started p[-]"));
    EXPECT_THAT(text_of("out/small-docker.txt"), HasSubstr("p/a calls acquire(k)"));
}

// Two removals that fail until the faults stop, a day later, each with a watch beside it.
TEST_F(SearchCommands, ReplayTellsInterleavedLoopsShortly) {
    const json scenario = json::parse(R"json({
      "schema": "drydock.scenario/1", "name": "loops", "backend": {"kind": "docker"},
      "client": {"attempts": 1},
      "processes": [{"name": "p", "actors": [
        {"name": "a", "steps": [{"acquire": "j"}]},
        {"name": "b", "steps": [{"hold": "20s"}, {"acquire": "k"}]},
        {"name": "c", "steps": [{"hold": "100s"}, {"close": true}]}]}],
      "plan": [{"at": "p[j]/container_create#1/delay", "choose": "70s"},
               {"at": "p[k]/container_create#1/delay", "choose": "70s"},
               {"at": "p[j]/container_remove#1/fate", "choose": "status_before(500)",
                "repeat": "until_faults_stop"},
               {"at": "p[k]/container_remove#1/fate", "choose": "status_before(500)",
                "repeat": "until_faults_stop"}]
})json");
    const Called called = call({"replay", file("loops.json", scenario), "--client", "library"});
    EXPECT_LT(std::count(called.out.begin(), called.out.end(), '\n'), 200);
    for (const char* sentence :
         {"container_create#1 for j reaches the engine LATE", "sandbox 1 (p[j], attempt 1) now",
          "sandbox 2 (p[k], attempt 1) now", "container_remove#1 for j); the plan: status_before",
          "p/c calls close", "the faults stop", "sandbox 1 is gone", "sandbox 2 is gone"}) {
        EXPECT_THAT(called.out, HasSubstr(sentence));
    }
    EXPECT_THAT(called.out, testing::ContainsRegex(
                                "\\.\\.\\. p.j. goes on like this [0-9]+ more times, until "));
    EXPECT_THAT(called.out, testing::ContainsRegex(
                                "\\.\\.\\. p.k. goes on like this [0-9]+ more times, until "));
}

TEST_F(SearchCommands, GatePassesACorpusThatHolds) {
    json scenario = planned_scenario("p[k]/container_start#1/fate", "status_before(400)");
    scenario["expect"] = {{"steps", {{"p/a#1", "error:invalid"}}}};
    file("small.json", scenario);
    const Called called = call({"gate", "--corpus", path(""), "--plans", "0", "--json", "-"});
    EXPECT_EQ(called.code, 0) << called.err;
    EXPECT_EQ(json::parse(called.out)["results"].size(), 1U);
}

TEST_F(SearchCommands, GateWantsExactlyTheExpectedInvariants) {
    json scenario = small_scenario();
    scenario["expect"] = {{"legacy", {{"library", {"no_leak"}}}}};
    file("small.json", scenario);
    const Called called = call({"gate", "--corpus", path(""), "--plans", "0"});
    EXPECT_EQ(called.code, 1);
    EXPECT_THAT(called.out, HasSubstr("was to break no_leak, broke nothing"));
}

TEST_F(SearchCommands, GateTellsCiSystemsWhatBroke) {
    json scenario = small_scenario();
    scenario["processes"][0]["actors"][0]["steps"] = {{{"acquire", "k"}}};  // nobody releases it
    file("leaks.json", scenario);
    const Called called = call({"gate", "--corpus", path(""), "--plans", "0", "--junit",
                                path("gate.xml"), "--markdown", "-"});
    EXPECT_EQ(called.code, 1);
    EXPECT_THAT(called.out, testing::StartsWith("## drydock gate\n\n**violation**"));
    EXPECT_THAT(called.out, HasSubstr("no_leak is BROKEN for sandbox 1"));
    EXPECT_THAT(called.out, HasSubstr("./drydock replay --client library --backend docker " +
                                      path("leaks.json")));
    EXPECT_THAT(called.err, HasSubstr("violation   small on docker, library"));
    EXPECT_THAT(text_of("gate.xml"), HasSubstr("<failure type=\"violation\""));
}

TEST_F(SearchCommands, GateLooksFirstWhetherItsReportsCanBeWritten) {
    const std::string corpus = file("small.json", small_scenario());
    for (const char* option : {"--json", "--junit", "--markdown"}) {
        const Called called =
            call({"gate", "--corpus", path(""), "--plans", "0", option, corpus + "/report"});
        EXPECT_EQ(called.code, 2) << option;
        EXPECT_THAT(called.err, HasSubstr(corpus + "/report: cannot be written")) << option;
        EXPECT_EQ(called.out, "") << option;  // nothing has run
    }
    const Called both = call({"gate", "--junit", "-", "--markdown", "-"});
    EXPECT_EQ(both.code, 2);
    EXPECT_THAT(both.err, HasSubstr("only one of"));
}

TEST_F(SearchCommands, GateDoesNotTakeVoidForPass) {
    file("v.json", planned_scenario("p[k]/container_start#9/fate", "reply_lost"));
    EXPECT_EQ(call({"gate", "--corpus", path(""), "--plans", "0"}).code, 3);
}

TEST_F(SearchCommands, GateNamesAnUnknownClient) {
    json scenario = small_scenario();
    scenario["expect"] = {{"legacy", {{"nobody", {"no_leak"}}}}};
    file("small.json", scenario);
    const Called called = call({"gate", "--corpus", path(""), "--plans", "0"});
    EXPECT_EQ(called.code, 2);
    EXPECT_THAT(called.err, HasSubstr("/expect/legacy/nobody"));
}

TEST_F(SearchCommands, GateNeedsACorpus) {
    EXPECT_EQ(call({"gate", "--corpus", path("")}).code, 2);
    EXPECT_EQ(call({"gate", "--corpus", path("nowhere")}).code, 2);
}

TEST_F(SearchCommands, DigestsAreTheSameEveryTime) {
    const Called first = call({"digests", "--plans", "20"});
    EXPECT_EQ(first.code, 0);
    EXPECT_THAT(first.out, testing::StartsWith("0 "));
    EXPECT_EQ(std::count(first.out.begin(), first.out.end(), '\n'), 20);
    EXPECT_EQ(first.out, call({"digests", "--plans", "20"}).out);
}

TEST_F(SearchCommands, ListNamesEverything) {
    const Called called = call({"list", "--json", "-"});
    EXPECT_EQ(called.code, 0);
    const json listed = json::parse(called.out);
    for (const char* section : {"scenarios", "clients", "backends", "invariants", "choices",
                                "operations", "strategies"}) {
        EXPECT_TRUE(listed.contains(section)) << section;
    }
    EXPECT_EQ(listed["clients"][0]["name"], "library");
}

TEST_F(SearchCommands, MutantsWithoutPatchesIsBadInput) {
    EXPECT_EQ(call({"mutants", "--source", path("")}).code, 2);
}

TEST_F(SearchCommands, MutantsWithoutToolsIsFour) {
    std::filesystem::create_directories(path("source/scenarios/breakages"));
    file("source/scenarios/breakages/one.patch", std::string("nothing"));
    const std::string before = std::getenv("PATH");
    setenv("PATH", path("").c_str(), 1);
    const Called called =
        call({"mutants", "--source", path("source"), "--scratch", path("scratch")});
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(called.code, 4);
    EXPECT_THAT(called.err, HasSubstr("cmake is not there"));
}

}  // namespace
}  // namespace drydock::cli
