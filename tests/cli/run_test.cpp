#include "cli/support.hpp"

#include <drydock/sim/backends.hpp>

#include <gmock/gmock.h>

namespace drydock::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using RunCommand = CliTest;

TEST_F(RunCommand, PassIsZero) {
    const Called called = call({"run", file("small.json", small_scenario())});
    EXPECT_EQ(called.code, 0);
    EXPECT_THAT(called.out, HasSubstr("small on docker, library"));
    EXPECT_EQ(called.err, "");
}

TEST_F(RunCommand, EachBackendOfTheFile) {
    json scenario = small_scenario();
    scenario["backend"]["kind"] = {"docker", "daytona"};
    const Called called = call({"run", file("small.json", scenario), "--json", "-", "--quiet"});
    const json outcome = json::parse(called.out);
    EXPECT_EQ(outcome["runs"], 2);
    EXPECT_EQ(outcome["results"][1]["backend"], "daytona");
}

TEST_F(RunCommand, InertPlanIsVoid) {
    const std::string inert =
        file("inert.json", planned_scenario("p[k]/container_start#9/fate", "reply_lost"));
    const Called called = call({"run", inert, "--json", path("o.json")});
    EXPECT_EQ(called.code, 3);
    EXPECT_THAT(called.out, HasSubstr("without effect: p[k]/container_start#9/fate"));
    const json outcome = json::parse(text_of("o.json"));
    EXPECT_EQ(outcome["verdict"], "void");
    EXPECT_EQ(outcome["results"][0]["unknown_sites"][0], "p[k]/container_start#9/fate");
}

TEST_F(RunCommand, UnmetExpectationIsOneAndIgnoredWithClient) {
    json scenario = small_scenario();
    scenario["expect"] = {{"steps", {{"p/a#1", "error:timeout"}}}};
    const std::string name = file("expects.json", scenario);
    const Called called = call({"run", name});
    EXPECT_EQ(called.code, 1);
    EXPECT_THAT(called.out, HasSubstr("step p/a#1: expected error:timeout, got ok"));
    EXPECT_EQ(call({"run", name, "--client", "library"}).code, 0);
}

TEST_F(RunCommand, BrokenInvariantComesBeforeVoid) {
    json scenario = planned_scenario("p[k]/container_start#9/fate", "reply_lost");
    scenario["processes"][0]["actors"][0]["steps"] = {{{"acquire", "k"}}};
    // Held at the end, and nothing says that it may be.
    EXPECT_EQ(call({"run", file("holds.json", scenario)}).code, 1);
}

TEST_F(RunCommand, OtherPlan) {
    const std::string name = file("small.json", small_scenario());
    const std::string plan = file(
        "plan.json", planned_scenario("p[k]/container_start#1/fate", "status_before(500)")["plan"]);
    const Called called = call({"run", name, "--plan", plan, "--json", "-"});
    EXPECT_EQ(called.code, 0);
    const json outcome = json::parse(called.out);
    EXPECT_EQ(outcome["results"][0]["plan"][0]["choose"], "status_before(500)");
}

TEST_F(RunCommand, OutcomeJson) {
    const std::string name =
        file("small.json", planned_scenario("p[k]/container_start#1/fate", "status_before(400)"));
    const Called called = call({"run", name, "--json", "-"});
    const json outcome = json::parse(called.out);
    EXPECT_EQ(outcome["schema"], "drydock.outcome/1");
    EXPECT_EQ(outcome["verdict"], "pass");
    EXPECT_EQ(outcome["runs"], 1);
    for (const char* field : {"results", "coverage", "closure", "stats"}) {
        EXPECT_TRUE(outcome.contains(field)) << field;
    }
    const json& result = outcome["results"][0];
    for (const char* field : {"scenario", "client", "plan", "verdict", "violations", "steps",
                              "jobs", "teardowns", "inert", "unknown_sites", "digest"}) {
        EXPECT_TRUE(result.contains(field)) << field;
    }
    EXPECT_EQ(result["scenario"], "small");
    EXPECT_EQ(result["client"], "library");
    EXPECT_EQ(result["steps"]["p/a#1"], "error:invalid");
    EXPECT_EQ(result["steps"]["p/a#2"], "skipped");
    EXPECT_THAT(result["digest"].get<std::string>(), testing::MatchesRegex("[0-9a-f]{16}"));
    EXPECT_THAT(called.err, HasSubstr("small on docker"));
}

TEST_F(RunCommand, OutcomeJsonTellsOfJobs) {
    json scenario = small_scenario();
    scenario["processes"][0]["actors"][0]["steps"][1] =
        json::parse(R"({"run": "j", "in": "k", "program": {"takes": "1s", "out": 7, "exit": 3}})");
    const Called called = call({"run", file("job.json", scenario), "--json", "-"});
    EXPECT_EQ(json::parse(called.out)["results"][0]["jobs"], json::parse(R"([
      {"lease": "p[k]", "job": "j", "runs": 1, "exit_code": 3, "reported": "code 3",
       "out": {"written": 7, "reported": 7}, "err": {"written": 0, "reported": 0}}])"));
    scenario["processes"][0]["actors"][0]["steps"][1]["run"] = "k";
    scenario["processes"][0]["actors"][0]["steps"][1]["timeout"] = "500ms";
    const Called killed = call({"run", file("job.json", scenario), "--json", "-"});
    const json job = json::parse(killed.out)["results"][0]["jobs"][0];
    EXPECT_EQ(job["exit_code"], 137);
    EXPECT_EQ(job["reported"], "killed");
}

TEST_F(RunCommand, SameTwiceButForStats) {
    const std::string name = file("small.json", small_scenario());
    json first = json::parse(call({"run", name, "--json", "-"}).out);
    json second = json::parse(call({"run", name, "--json", "-"}).out);
    first.erase("stats");
    second.erase("stats");
    EXPECT_EQ(first, second);
    EXPECT_EQ(call({"run", name, "--check-determinism"}).code, 0);
}

TEST_F(RunCommand, OutFolderIsMade) {
    const std::string name = file("small.json", small_scenario());
    EXPECT_EQ(call({"run", name, "--out", path("a/b")}).code, 0);
    EXPECT_EQ(json::parse(text_of("a/b/outcome.json"))["verdict"], "pass");
}

TEST_F(RunCommand, QuietSaysNothingWhenAllIsWell) {
    const Called called = call({"run", file("small.json", small_scenario()), "--quiet"});
    EXPECT_EQ(called.out + called.err, "");
}

TEST_F(RunCommand, StartAttemptsOfTheEnvironment) {
    json scenario = planned_scenario("p[k]/container_start#1/fate", "status_before(500)");
    const std::string silent = file("silent.json", scenario);
    scenario["client"] = {{"attempts", 3}};
    const std::string says = file("says.json", scenario);
    const auto step = [](const std::string& name) {
        return json::parse(call({"run", name, "--json", "-"}).out)["results"][0]["steps"]["p/a#1"];
    };
    setenv("DRYDOCK_START_ATTEMPTS", "1", 1);
    EXPECT_EQ(step(silent), "error:unavailable");
    EXPECT_EQ(step(says), "ok");
    setenv("DRYDOCK_START_ATTEMPTS", "none", 1);
    const Called warned = call({"run", silent});
    unsetenv("DRYDOCK_START_ATTEMPTS");
    EXPECT_EQ(warned.code, 0);
    EXPECT_THAT(warned.err, HasSubstr("DRYDOCK_START_ATTEMPTS"));
    EXPECT_EQ(step(silent), "ok");
}

/// Waits longer from run to run: what no client may do.
scenarios::ClientRegistry with_moody_client() {
    scenarios::ClientRegistry registry = scenarios::builtin_clients();
    scenarios::ClientKind moody = *registry.find("library");
    moody.name = "moody";
    moody.make = [make = moody.make](scenarios::ClientSeams seams) {
        static int made = 0;
        seams.policy.settle += std::chrono::milliseconds(++made);
        return make(seams);
    };
    registry.add(moody);
    return registry;
}

TEST_F(RunCommand, AnotherRunTheSecondTimeIsThree) {
    sim::BackendRegistry backends;
    sim::register_builtin_backends(backends);
    json scenario = small_scenario();
    scenario["backend"]["kind"] = "daytona";  // a removal is waited for there
    const Called called =
        call({"run", file("small.json", scenario), "--client", "moody", "--check-determinism"},
             backends, with_moody_client());
    EXPECT_EQ(called.code, 3);
    EXPECT_THAT(called.out, HasSubstr("nondeterministic"));
    EXPECT_THAT(called.out, testing::ContainsRegex("event [0-9]+ was .*, and the second time"));
}

}  // namespace
}  // namespace drydock::cli
