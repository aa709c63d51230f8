#include "support/scenario_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace scenarios;
using namespace std::chrono_literals;
using faults::Verdict;
using testing::ElementsAre;
using testing::IsEmpty;

Scenario acquire_hold_release() {
    return one_actor({AcquireStep{.key = "k"}, HoldStep{40s}, ReleaseStep{"k"}});
}

RunReport run_expecting(const Scenario& scenario, const faults::Plan& plan = {},
                        std::string_view client_name = library_client) {
    return run_plan({scenario, backend("docker"), client(client_name)}, plan, true);
}

TEST(Runner, WithoutFaultsEverythingPasses) {
    for (const std::string& kind : backend_names) {
        const RunReport report = run_library(acquire_hold_release(), {}, kind);
        EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
        EXPECT_EQ(report.steps.at("runner/main#1").outcome, "ok");
        EXPECT_EQ(report.steps.at("runner/main#2").outcome, "ok");
        EXPECT_EQ(report.steps.at("runner/main#3").outcome, "ok");
        EXPECT_EQ(report.sandboxes, 1U);
        EXPECT_EQ(report.removed, 1U);
        EXPECT_GE(report.end, Time{40s});
        EXPECT_THAT(report.held, IsEmpty());
    }
}

// --- witness, void, unknown sites

TEST(Runner, AnInertChoiceMakesALibraryRunVoid) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_start#1/fate", "status_before(503)"),
              entry("runner[k]/backoff#2/delay", "1s")});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    EXPECT_TRUE(report.outcome.is_void);
    EXPECT_EQ(report.outcome.verdict, Verdict::void_);
    EXPECT_THAT(report.outcome.inert, ElementsAre("runner[k]/backoff#2/delay"));
}

TEST(Runner, UnknownSitesAreListed) {
    const faults::Plan chosen = plan({entry("runner[k]/container_start#9/fate", "refused"),
                                      entry("nobody[k]/container_start#1/fate", "refused"),
                                      entry("runner[k]/container_start#1/fate", "slow(1s)")});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    EXPECT_THAT(report.outcome.unknown_sites, ElementsAre("runner[k]/container_start#9/fate",
                                                          "nobody[k]/container_start#1/fate"));
    EXPECT_EQ(report.outcome.inert, report.outcome.unknown_sites);
    EXPECT_TRUE(report.outcome.is_void);
}

TEST(Runner, AWitnessedPlanIsNotVoid) {
    for (const char* fate : {"refused", "request_lost", "reply_lost", "reset_before", "reset_after",
                             "status_before(500)", "status_after(500)", "truncated", "stalled",
                             "slow(1s)", "duplicated", "cut_header", "late(after_timeout)"}) {
        const faults::Plan chosen = plan({entry("runner[k]/container_create#1/fate", fate)});
        const RunReport report = run_library(acquire_hold_release(), chosen);
        EXPECT_FALSE(report.outcome.is_void) << fate;
        EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
    }
}

TEST(Runner, ALegacyClientsRunIsVoidOnlyIfAllIsInert) {
    const auto known = entry("runner[k]/container_start#1/fate", "status_before(503)");
    const auto unknown = entry("runner[k]/ledger_put#1/fate", "write_refused");
    const Scenario scenario = acquire_hold_release();
    EXPECT_FALSE(run_expecting(scenario, plan({known, unknown}), "strix-768").outcome.is_void);
    EXPECT_TRUE(run_expecting(scenario, plan({unknown}), "strix-768").outcome.is_void);
}

TEST(Runner, ABrokenInvariantOutweighsAVoidPlan) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_remove#1/fate", "status_before(500)"),
              entry("runner[k]/container_remove#7/fate", "refused")});
    const RunReport report = run_expecting(acquire_hold_release(), chosen, "strix-768");
    EXPECT_EQ(report.outcome.verdict, Verdict::violation);
    EXPECT_THAT(broken(report), ElementsAre("no_leak"));
}

// --- expectations

TEST(Runner, AnUnmetExpectationIsSaid) {
    Scenario scenario = acquire_hold_release();
    scenario.expect.steps = {{"runner/main#1", "error:timeout"}, {"runner/main#3", "ok"}};
    const RunReport report = run_expecting(scenario);
    EXPECT_EQ(report.outcome.verdict, Verdict::expectation);
    ASSERT_EQ(report.unmet.size(), 1U);
    EXPECT_THAT(report.unmet[0], testing::HasSubstr("runner/main#1"));
    EXPECT_THAT(report.unmet[0], testing::HasSubstr("error:timeout"));
}

TEST(Runner, ExpectationsMayDifferByBackend) {
    Scenario scenario = acquire_hold_release();
    scenario.expect_by_kind["docker"].steps = {{"runner/main#1", "error:timeout"}};
    EXPECT_EQ(run_expecting(scenario).outcome.verdict, Verdict::expectation);
    const RunReport other =
        run_plan({scenario, backend("daytona"), client(library_client)}, {}, true);
    EXPECT_EQ(other.outcome.verdict, Verdict::pass);
}

TEST(Runner, WhatIsHeldAtTheEndMustBeExpected) {
    Scenario scenario = one_actor({AcquireStep{.key = "k"}});
    const RunReport unexpected = run_expecting(scenario);
    EXPECT_THAT(broken(unexpected), ElementsAre("no_leak"));
    EXPECT_THAT(unexpected.held, ElementsAre("runner[k]"));
    scenario.expect.held = {"runner[k]"};
    EXPECT_EQ(run_expecting(scenario).outcome.verdict, Verdict::pass);
}

TEST(Runner, WhatIsExpectedToBeHeldMustBe) {
    Scenario scenario = acquire_hold_release();
    scenario.expect.held = {"runner[k]"};
    const RunReport report = run_expecting(scenario);
    EXPECT_EQ(report.outcome.verdict, Verdict::expectation);
    EXPECT_EQ(report.unmet.size(), 1U);
}

TEST(Runner, AHeldLeaseOfAnOddKeyIsNamedAsInSites) {
    Scenario scenario = one_actor({AcquireStep{.key = "scan/1 x"}});
    scenario.expect.held = {"runner[scan%2F1%20x]"};
    EXPECT_EQ(run_expecting(scenario).outcome.verdict, Verdict::pass);
}

// --- steps

TEST(Runner, AFailureSkipsAllButReleasesAndCleanups) {
    const Scenario scenario =
        one_actor({AcquireStep{.key = "k"}, HoldStep{1s}, AcquireStep{.key = "other"},
                   ReleaseStep{"k"}, CleanupStep{"k"}, HoldStep{1s}});
    const faults::Plan chosen =
        plan({entry("runner[k]/container_start#1/fate", "status_before(400)")});
    const RunReport report = run_library(scenario, chosen);
    std::vector<std::string> outcomes;
    for (const auto& [name, step] : report.steps)
        outcomes.push_back(step.outcome);
    EXPECT_THAT(outcomes,
                ElementsAre("error:invalid", "skipped", "skipped", "ok", "ok", "skipped"));
    EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
}

TEST(Runner, AnErrorIsReportedWithItsDescription) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_start#1/fate", "status_before(400)")});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    const StepReport& step = report.steps.at("runner/main#1");
    EXPECT_EQ(kind_in(step.description), ErrorKind::invalid);
    EXPECT_THAT(step.description, testing::HasSubstr("container_start"));
}

// --- crash and recovery

TEST(Runner, ACrashedProcessIsRestartedAndOnlyRecovers) {
    const faults::Plan chosen = plan({entry("runner[k]/container_inspect#1/crash", "in_flight")});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
    for (const auto& [name, step] : report.steps)
        EXPECT_EQ(step.outcome, "crashed") << name;
    EXPECT_EQ(report.sandboxes, 1U);
    EXPECT_EQ(report.removed, 1U);
    std::size_t starts = 0;
    for (const sim::Event& event : report.trace) {
        starts += event.kind == sim::EventKind::process_started ? 1 : 0;
    }
    EXPECT_EQ(starts, 2U);
}

TEST(Runner, RecoveryGoesOnUnderFaultsAndAgainAfterThem) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_inspect#1/crash", "in_flight"),
              entry("runner[k]/container_remove#1/fate", "status_before(500)", true)});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
    EXPECT_EQ(report.removed, 1U) << "once the faults have stopped it goes";
    EXPECT_GE(report.end, Time{61s});
}

TEST(Runner, AStickyFaultEndsWithTheFaults) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_remove#1/fate", "status_before(500)", true)});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
    EXPECT_EQ(report.removed, 1U);
    EXPECT_FALSE(report.outcome.is_void);
}

TEST(Runner, AStuckStateEndsWithTheFaults) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_remove#1/engine", "stuck(removing)")});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
    EXPECT_EQ(report.removed, 1U);
}

// --- strikes

TEST(Runner, ACancelStrikesEveryCallThatWaits) {
    const Scenario scenario = actors({{AcquireStep{.key = "k"}}, {AcquireStep{.key = "k"}}});
    const faults::Plan chosen = plan({entry("runner[k]/container_create#1/cancel", "in_flight")});
    const RunReport report = run_library(scenario, chosen);
    EXPECT_EQ(report.steps.at("runner/a#1").outcome, "error:cancelled");
    EXPECT_EQ(report.steps.at("runner/b#1").outcome, "error:cancelled");
    EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
}

TEST(Runner, ACancelAtAnActorStrikesThatOneOnly) {
    for (const bool is_first : {true, false}) {
        Scenario scenario = actors({{AcquireStep{.key = "k"}}, {AcquireStep{.key = "k"}}});
        scenario.expect.held = {"runner[k]"};
        const faults::Plan chosen = plan({entry("runner[k]/container_create#1/cancel",
                                                is_first ? "in_flight@a" : "in_flight@b")});
        const RunReport report = run_library(scenario, chosen);
        const std::string struck = is_first ? "runner/a#1" : "runner/b#1";
        const std::string spared = is_first ? "runner/b#1" : "runner/a#1";
        EXPECT_EQ(report.steps.at(struck).outcome, "error:cancelled");
        EXPECT_EQ(report.steps.at(spared).outcome, "ok");
        EXPECT_EQ(report.outcome.verdict, Verdict::pass) << told(report);
    }
}

TEST(Runner, ACancelAtAnActorThatDoesNotWaitIsInert) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_create#1/cancel", "in_flight@nobody")});
    const RunReport report = run_library(acquire_hold_release(), chosen);
    EXPECT_EQ(report.outcome.inert.size(), 1U);
    EXPECT_EQ(report.steps.at("runner/main#1").outcome, "ok");
}

TEST(Runner, ACancelOfAnotherKeysWorkDoesNotConcernACall) {
    Scenario scenario = actors({{AcquireStep{.key = "k"}}, {AcquireStep{.key = "l"}}});
    scenario.expect.held = {"runner[l]"};
    const faults::Plan chosen = plan({entry("runner[k]/container_create#1/cancel", "in_flight")});
    const RunReport report = run_library(scenario, chosen);
    EXPECT_EQ(report.steps.at("runner/a#1").outcome, "error:cancelled");
    EXPECT_EQ(report.steps.at("runner/b#1").outcome, "ok");
}

// --- what it is a function of

TEST(Runner, IsAFunctionOfScenarioAndPlan) {
    const faults::Plan chosen =
        plan({entry("runner[k]/container_create#1/fate", "late(after_timeout)")});
    const RunReport first = run_library(acquire_hold_release(), chosen);
    const RunReport second = run_library(acquire_hold_release(), chosen);
    EXPECT_EQ(first.outcome.digest, second.outcome.digest);
    EXPECT_NE(first.outcome.digest, run_library(acquire_hold_release(), {}).outcome.digest);
}

TEST(Runner, WhatAPlanNamesFirstDoesNotChangeTheDigest) {
    const Scenario scenario = actors(
        {{AcquireStep{.key = "k"}, ReleaseStep{"k"}}, {AcquireStep{.key = "l"}, ReleaseStep{"l"}}});
    const faults::Plan inert = plan({entry("zzz[l]/container_create#9/fate", "refused")});
    EXPECT_EQ(run_library(scenario, inert).outcome.digest,
              run_library(scenario, {}).outcome.digest);
}

}  // namespace
}  // namespace drydock::test
