#include "scenarios/format_support.hpp"

#include <gtest/gtest.h>

namespace drydock::scenarios {
namespace {

using namespace std::chrono_literals;

TEST(FormatReader, ReadsEveryField) {
    const Scenario scenario = read_text(full_document().dump());
    EXPECT_EQ(scenario.name, "strix-768");
    EXPECT_EQ(scenario.about, "one line");
    EXPECT_EQ(scenario.source, "usestrix/strix#768");
    EXPECT_EQ(scenario.backend.kinds, (std::vector<std::string>{"docker", "daytona"}));
    EXPECT_EQ(scenario.restart_after, 3s);
    EXPECT_EQ(scenario.plan.size(), 3U);
    ASSERT_TRUE(scenario.found);
    EXPECT_EQ(*scenario.found,
              (Found{"strix-768", "no_leak", "runner[scan-1]", "0123456789abcdef"}));
}

TEST(FormatReader, ReadsThePolicy) {
    const Policy policy = read_text(full_document().dump()).client;
    EXPECT_EQ(policy.attempts, 4U);
    EXPECT_EQ(policy.request_timeout, 30s);
    EXPECT_EQ(policy.ready_timeout, 20s);
    EXPECT_EQ(policy.teardown_deadline, 60s);
    EXPECT_EQ(policy.deadline, 5min);
    EXPECT_EQ(policy.late_horizon, 10min);
    EXPECT_EQ(policy.late_watch, 15s);
    EXPECT_EQ(policy.settle, 500ms);
    const auto* backoff = std::get_if<Exponential>(&policy.backoff);
    ASSERT_NE(backoff, nullptr);
    EXPECT_EQ(backoff->base, 2s);
    EXPECT_EQ(backoff->factor, 3U);
    EXPECT_EQ(backoff->ceiling, 1min);
    EXPECT_EQ(backoff->jitter, 0.5);
}

TEST(FormatReader, ReadsBackoffInThreeForms) {
    auto document = small_document();
    document["client"]["backoff"] = "3s";
    const Policy simple = read_text(document.dump()).client;
    EXPECT_EQ(std::get<Exponential>(simple.backoff).base, 3s);
    EXPECT_EQ(std::get<Exponential>(simple.backoff).factor, 2U);
    document["client"]["backoff"] = {"1m", "0s", "5m"};
    const Policy listed = read_text(document.dump()).client;
    EXPECT_EQ(std::get<ExplicitDelays>(listed.backoff), (ExplicitDelays{1min, 0s, 5min}));
}

TEST(FormatReader, ReadsSteps) {
    const Scenario scenario = read_text(full_document().dump());
    ASSERT_EQ(scenario.processes.size(), 2U);
    EXPECT_EQ(scenario.processes[0].actors[0],
              (ActorScript{"main",
                           {AcquireStep{.key = "scan-1"}, HoldStep{40s}, ReleaseStep{"scan-1"}}}));
    const AcquireStep whole{"scan/2", StagingTimes{1s, 2s}, {"rm-key", "rm-dir"}, 5s, 2, 45s};
    EXPECT_EQ(
        scenario.processes[0].actors[1],
        (ActorScript{"b", {whole, AttachStep{"scan-1"}, CleanupStep{"scan/2"}, CloseStep{}}}));
    EXPECT_EQ(scenario.processes[1], (ProcessScript{"other", {{"main", {}}}}));
}

TEST(FormatReader, StagingAndBootstrapMayBeOfNoTime) {
    auto document = small_document();
    auto& step = document["processes"][0]["actors"][0]["steps"][0];
    step["staging"] = true;
    step["bootstrap"] = true;
    const Scenario with = read_text(document.dump());
    EXPECT_EQ(with.processes[0].actors[0].steps[0],
              ActorStep(AcquireStep{.key = "k", .staging = StagingTimes{}, .bootstrap = 0s}));
    step["staging"] = false;
    step["bootstrap"] = false;
    const Scenario without = read_text(document.dump());
    EXPECT_EQ(without.processes[0].actors[0].steps[0], ActorStep(AcquireStep{.key = "k"}));
}

TEST(FormatReader, ExpectationsOfOneKindReplaceOnlyWhatTheyName) {
    const Scenario scenario = read_text(full_document().dump());
    Expectation expected{"pass",
                         {{"runner/main#1", "error:unavailable"}, {"runner/b#2", "skipped"}},
                         {"runner[scan%2F2]"},
                         {{"strix-768", {"no_leak", "one_per_lease"}}}};
    EXPECT_EQ(scenario.expect, expected);
    expected.steps = {{"runner/main#1", "ok"}};
    ASSERT_TRUE(scenario.expect_by_kind.contains("daytona"));
    EXPECT_EQ(scenario.expect_by_kind.at("daytona"), expected);
}

TEST(FormatReader, WhatIsLeftOutHasItsDefault) {
    const Scenario scenario = read_text(small_document().dump());
    EXPECT_EQ(scenario.client.attempts, Policy{}.attempts);
    EXPECT_EQ(scenario.restart_after, 1s);
    EXPECT_TRUE(scenario.plan.empty());
    EXPECT_EQ(scenario.expect, Expectation{});
    EXPECT_FALSE(scenario.found);
}

TEST(FormatReader, ReadsPlansByThemselves) {
    const auto document = full_document();
    const faults::Plan plan = read_text(document.dump()).plan;
    EXPECT_EQ(read_plan(document["plan"].dump(), "p.json"), plan);
    EXPECT_EQ(read_plan(document.dump(), "p.json"), plan);
    EXPECT_EQ(read_plan("[]", "p.json"), faults::Plan{});
}

std::string plan_error(const std::string& text) {
    try {
        static_cast<void>(read_plan(text, "p.json"));
    } catch (const faults::InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(FormatReader, SaysWhatIsWrongWithAPlan) {
    EXPECT_EQ(plan_error("{}"),
              "p.json: a plan is a list of entries, or an object with one in plan");
    EXPECT_EQ(plan_error(R"([{"at": "a[-]/join#1/crash", "choose": "now"}])"),
              "p.json: /0/choose: unknown moment \"now\" (known: before, in_flight, "
              "with_completion)");
    EXPECT_EQ(plan_error(R"({"plan": 3})"), "p.json: /plan: a plan is a list of entries");
    EXPECT_EQ(plan_error("[").substr(0, 11), "p.json:1:2:");
    EXPECT_EQ(plan_error(R"({"plan": [], "repaet": 1})"),
              "p.json: /repaet: unknown field \"repaet\"");
}

}  // namespace
}  // namespace drydock::scenarios
