// What a run says of its jobs, beside what is judged.
#include "support/scenario_kit.hpp"

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
