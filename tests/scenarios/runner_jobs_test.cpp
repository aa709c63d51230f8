// What a run says of its jobs, beside what is judged.
#include "support/scenario_kit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace scenarios;
using namespace std::chrono_literals;

RunStep start(const std::string& job, JobProgram program) {
    return {.key = "k", .job = job, .program = program, .waits = false};
}

TEST(RunnerJobs, SaysWhatBecameOfAJobAndWhatWasSaidOfIt) {
    const RunStep run{
        .key = "k", .job = "j", .program = {.takes = 2s, .out = 300, .err = 7, .exit_code = 3}};
    const RunReport report =
        run_library(one_actor({AcquireStep{.key = "k"}, run, ReleaseStep{"k"}}), {});
    ASSERT_EQ(report.jobs.size(), 1U);
    const JobOutcome& job = report.jobs[0];
    EXPECT_EQ(job.lease, "runner[k]");
    EXPECT_EQ(job.job, "j");
    EXPECT_EQ(job.runs, 1U);
    EXPECT_EQ(job.exit_code, 3);
    EXPECT_EQ(job.reported, "code 3");
    EXPECT_EQ(job.out.written, 300U);
    EXPECT_EQ(job.out.reported, 300U);
    EXPECT_EQ(job.err.written, 7U);
    EXPECT_EQ(job.err.reported, 7U);
}

TEST(RunnerJobs, NothingIsSaidOfAJobThatNobodyWaitsFor) {
    const RunReport report =
        run_library(one_actor({AcquireStep{.key = "k"}, start("j", {.takes = 1h, .out = 300}),
                               HoldStep{3s}, ReleaseStep{"k"}}),
                    {});
    ASSERT_EQ(report.jobs.size(), 1U);
    EXPECT_EQ(report.jobs[0].runs, 1U);
    EXPECT_EQ(report.jobs[0].reported, "nothing");
    EXPECT_EQ(report.jobs[0].exit_code, 137) << "with its sandbox";
    EXPECT_EQ(report.jobs[0].out.reported, std::nullopt);
}

TEST(RunnerJobs, TheLastWordCountsAndAKillKnowsNothingOfOutput) {
    const Scenario scenario =
        one_actor({AcquireStep{.key = "k"}, start("j", {.takes = 1h, .out = 300}), HoldStep{3s},
                   KillStep{"k", "j"}, StdinStep{"k", "j", "x"}, ReleaseStep{"k"}});
    const RunReport report = run_library(scenario, {});
    ASSERT_EQ(report.jobs.size(), 1U);
    EXPECT_EQ(report.steps.at("runner/main#4").outcome, "ok");
    EXPECT_EQ(report.jobs[0].reported, report.steps.at("runner/main#5").outcome);
    EXPECT_EQ(report.jobs[0].exit_code, 137);
    EXPECT_EQ(report.jobs[0].out.reported, std::nullopt);
}

TEST(RunnerJobs, AJobThatRanTwiceIsCountedTwice) {
    const RunStep run{.key = "k", .job = "j", .program = {.takes = 30s, .out = 20}};
    const Scenario scenario = one_actor({AcquireStep{.key = "k"}, run, ReleaseStep{"k"}});
    const faults::Plan lost = plan({entry("runner[k]/exec_start#1/fate", "reply_lost")});
    const RunReport report =
        run_plan({scenario, backend("docker"), client("prime-837-replay")}, lost, false);
    ASSERT_EQ(report.jobs.size(), 1U);
    EXPECT_EQ(report.jobs[0].runs, 2U);
    EXPECT_EQ(report.jobs[0].reported, "code 0");
}

// Nothing is suspended then that the cancellation could strike: whatever comes next must see it.
TEST(RunnerJobs, ACancelTogetherWithACompletionEndsTheCall) {
    const RunStep run{.key = "k", .job = "j", .program = {.takes = 10min, .out = 100}};
    const Scenario scenario = one_actor({AcquireStep{.key = "k"}, run, ReleaseStep{"k"}});
    for (const char* call : {"archive_put#1", "exec_create#1", "exec_create#2", "exec_start#1",
                             "exec_start#2", "exec_read#1", "exec_read#2", "exec_read#3"}) {
        const std::string at = fmt::format("runner[k]/{}/cancel", call);
        const RunReport report = run_library(scenario, plan({entry(at, "with_completion")}));
        EXPECT_EQ(report.steps.at("runner/main#2").outcome, "error:cancelled") << at;
        EXPECT_THAT(report.outcome.violations, testing::IsEmpty()) << at;
        EXPECT_LT(report.end - Time{}, 1h) << at;
    }
}

TEST(RunnerJobs, OneIdInTwoSandboxesIsTwoJobs) {
    RunStep other = start("j", {.takes = 1s});
    other.key = "other";
    const RunReport report =
        run_library(one_actor({AcquireStep{.key = "k"}, AcquireStep{.key = "other"},
                               start("j", {.takes = 1s, .out = 7}), other, WaitStep{"k", "j"},
                               ReleaseStep{"other"}, ReleaseStep{"k"}}),
                    {});
    ASSERT_EQ(report.jobs.size(), 2U);
    EXPECT_EQ(report.jobs[0].lease, "runner[k]");
    EXPECT_EQ(report.jobs[0].out.written, 7U);
    EXPECT_EQ(report.jobs[1].lease, "runner[other]");
    EXPECT_EQ(report.jobs[1].out.written, 0U);
}

TEST(RunnerJobs, AJobThatIsKilledIsSaidToBeKilled) {
    const RunReport by_step =
        run_library(one_actor({AcquireStep{.key = "k"}, start("j", {.takes = 1h}), HoldStep{3s},
                               KillStep{"k", "j"}, ReleaseStep{"k"}}),
                    {});
    ASSERT_EQ(by_step.jobs.size(), 1U);
    EXPECT_EQ(by_step.jobs[0].reported, "killed");
    const RunStep late{.key = "k", .job = "j", .program = {.takes = 1h}, .timeout = 3s};
    const RunReport by_timeout =
        run_library(one_actor({AcquireStep{.key = "k"}, late, ReleaseStep{"k"}}), {});
    ASSERT_EQ(by_timeout.jobs.size(), 1U);
    EXPECT_EQ(by_timeout.jobs[0].reported, "killed");
}

/// Ids that cannot be the names of folders.
const std::vector<std::string> hashed_ids{"../x",        "a b", "\xc3\xa9\"\\",        "guard",
                                          "line\nbreak", "-j",  std::string(1024, 'a')};

TEST(RunnerJobs, AnyIdNamesAJob) {
    for (const std::string& id : hashed_ids) {
        const RunStep run{.key = "k", .job = id, .program = {.out = 300, .exit_code = 3}};
        const Scenario scenario = actors(
            {{AcquireStep{.key = "k"}, run, ReleaseStep{"k"}},
             {AcquireStep{.key = "k"}, HoldStep{200ms}, WaitStep{"k", id}, run, ReleaseStep{"k"}}});
        const RunReport report = run_library(scenario, {});
        EXPECT_EQ(broken(report), NameSet{}) << told(report);
        ASSERT_EQ(report.jobs.size(), 1U);
        EXPECT_EQ(report.jobs[0].job, id);
        EXPECT_EQ(report.jobs[0].runs, 1U) << id;
        EXPECT_EQ(report.jobs[0].reported, "code 3");
        EXPECT_EQ(report.jobs[0].out.written, 300U);
    }
}

TEST(RunnerJobs, AJobOfAnyIdIsGivenInputAndKilled) {
    for (const std::string& id : hashed_ids) {
        const Scenario scenario = one_actor(
            {AcquireStep{.key = "k"}, start(id, {.takes = 1h, .reads = 10, .children = 1}),
             StdinStep{"k", id, "12345"}, HoldStep{1s}, KillStep{"k", id}, ReleaseStep{"k"}});
        const RunReport report = run_library(scenario, {});
        EXPECT_EQ(report.outcome.verdict, faults::Verdict::pass) << told(report);
        EXPECT_EQ(report.jobs.at(0).reported, "killed") << id;
        EXPECT_EQ(report.jobs.at(0).exit_code, 137);
        const faults::Plan lost = plan({entry("runner[k]/exec_start#2/fate", "reply_lost")});
        const RunReport twice =
            run_plan({scenario, backend("docker"), client("prime-837-stdin")}, lost, false);
        EXPECT_EQ(broken(twice), NameSet{"no_double_run"}) << id << told(twice);
    }
}

TEST(RunnerJobs, AnIdIsFreeAgainInTheLeasesNextSandbox) {
    const RunStep run{.key = "k", .job = "j", .program = {.out = 20}};
    const RunReport report =
        run_library(one_actor({AcquireStep{.key = "k"}, run, ReleaseStep{"k"},
                               AcquireStep{.key = "k"}, run, ReleaseStep{"k"}}),
                    {});
    EXPECT_EQ(report.outcome.verdict, faults::Verdict::pass) << told(report);
    EXPECT_EQ(report.jobs.at(0).runs, 2U);
}

// The same write lands twice in each, and what another step asks for makes no room for it.
TEST(RunnerJobs, InputThatComesTwiceIsSeenThoughOthersWriteToo) {
    const std::vector<ActorStep> once{AcquireStep{.key = "k"},
                                      start("j", {.takes = 1s, .reads = 10}),
                                      StdinStep{"k", "j", "12345"}, ReleaseStep{"k"}};
    const std::vector<ActorStep> elsewhere{
        AcquireStep{.key = "other"}, StdinStep{"other", "j", "1234567890"}, ReleaseStep{"other"}};
    const std::vector<ActorStep> too_late{AcquireStep{.key = "k"}, HoldStep{200s},
                                          StdinStep{"k", "j", "1234567890"}, ReleaseStep{"k"}};
    const faults::Plan lost = plan({entry("runner[k]/exec_start#2/fate", "reply_lost")});
    for (const auto& [beside, outcome] :
         {std::pair(elsewhere, "error:not_found"), std::pair(too_late, "error:conflict")}) {
        const RunReport report = run_plan(
            {actors({once, beside}), backend("docker"), client("prime-837-stdin")}, lost, false);
        EXPECT_EQ(report.steps.at(fmt::format("runner/b#{}", beside.size() - 1)).outcome, outcome);
        EXPECT_EQ(broken(report), NameSet{"no_double_run"}) << told(report);
    }
}

TEST(RunnerJobs, ATeardownForAJobThatFailsToItsDeadlineIsLeftToTheReaper) {
    const RunStep late{.key = "k", .job = "j", .program = {.takes = 1h}, .timeout = 3s};
    const Scenario scenario = one_actor({AcquireStep{.key = "k"}, late, ReleaseStep{"k"}});
    const faults::Plan fails =
        plan({entry("runner[k]/exec_create#3/fate", "status_before(500)", true),
              entry("runner[k]/container_remove#1/fate", "status_before(500)", true)});
    const RunReport report = run_library(scenario, fails);
    EXPECT_EQ(report.steps.at("runner/main#2").outcome, "error:deadline");
    EXPECT_EQ(report.removed, 1U) << "by the reaper";
    EXPECT_EQ(broken(report), NameSet{}) << told(report);
}

// Each piece is an operation and several steps.
TEST(RunnerJobs, MuchOutputInSmallPiecesIsNoEndlessRun) {
    const RunStep run{.key = "k", .job = "j", .program = {.takes = 3s, .out = 600'000}};
    const Scenario scenario = one_actor({AcquireStep{.key = "k"}, run, ReleaseStep{"k"}});
    const faults::Plan split = plan({entry("runner[k]/exec_start#2/stream", "split(1)")});
    const RunReport report = run_library(scenario, split);
    EXPECT_EQ(report.outcome.verdict, faults::Verdict::pass) << told(report);
    EXPECT_EQ(report.jobs.at(0).out.reported, 600'000U);
}

// Bytes of a step that was skipped were given to nobody.
TEST(RunnerJobs, InputThatComesTwiceIsSeenThoughMoreWasToCome) {
    const Scenario scenario =
        one_actor({AcquireStep{.key = "k"}, start("j", {.takes = 1s, .reads = 20}),
                   StdinStep{"k", "j", "12345"}, StdinStep{"k", "missing", "1"},
                   StdinStep{"k", "j", "67890"}, ReleaseStep{"k"}});
    const faults::Plan lost = plan({entry("runner[k]/exec_start#2/fate", "reply_lost")});
    const RunReport report =
        run_plan({scenario, backend("docker"), client("prime-837-stdin")}, lost, false);
    EXPECT_EQ(report.steps.at("runner/main#5").outcome, "skipped");
    EXPECT_EQ(broken(report), NameSet{"no_double_run"}) << told(report);
}

}  // namespace
}  // namespace drydock::test
