// A job with a lease of its own, and whether it may be run again in a fresh sandbox.
#include "support/job_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

/// Runs the plain job under the key "own" to its end.
LeasedRun run_leased(JobBed& bed, Rerun rerun, OutputSink sink = {}) {
    std::optional<LeasedRun> run;
    const auto call = [&]() -> awaitable<Result<void>> {
        LeasedRun got = co_await bed.jobs.run_leased(request_for("own"), JobBed::plain(),
                                                     std::move(sink), rerun);
        run.emplace(std::move(got));
        co_return Result<void>();
    };
    static_cast<void>(bed.bed.run(call()));
    return std::move(*run);
}

/// One launch that does not reach the sandbox, however often it is tried.
void refuse_launch(JobBed& bed, Error error) {
    for (int i = 0; i < 3; ++i) {
        bed.script.starts.emplace_back(error);
    }
}

TEST(JobLeased, RunsAndReleases) {
    JobBed bed;
    bed.follow({"end code 0 0 0\n"});
    const LeasedRun run = run_leased(bed, Rerun::never);
    ASSERT_TRUE(run.job);
    EXPECT_EQ(run.job->exit_code, 0);
    EXPECT_TRUE(run.teardown);
    EXPECT_EQ(bed.bed.living(), 1U) << "only the bed's own lease";
}

TEST(JobLeased, IsNotRunAgainUnlessAsked) {
    JobBed bed;
    refuse_launch(bed, refused_connection(Operation::exec_start));
    const LeasedRun run = run_leased(bed, Rerun::never);
    ASSERT_FALSE(run.job);
    EXPECT_EQ(run.job.error().kind(), ErrorKind::connect);
    EXPECT_TRUE(run.teardown);
    EXPECT_EQ(bed.bed.sandboxes().size(), 2U);
    EXPECT_EQ(bed.script.count("kill"), 0U);
}

TEST(JobLeased, GoesToAFreshSandboxOnceItIsFenced) {
    JobBed bed;
    refuse_launch(bed, lost(Operation::exec_start));
    bed.answer("kill", {"end fenced\n"});
    bed.follow({"end code 5 0 0\n"});
    const LeasedRun run = run_leased(bed, Rerun::if_not_begun);
    ASSERT_TRUE(run.job) << run.job.error().describe();
    EXPECT_EQ(run.job->exit_code, 5);
    EXPECT_EQ(bed.bed.sandboxes().size(), 3U);
    EXPECT_EQ(bed.bed.living(), 1U);
}

TEST(JobLeased, StaysWhereItMayHaveBegun) {
    for (const char* killed : {"end unknown 0 0\n", "end code 0 0 0\n", ""}) {
        JobBed bed;
        refuse_launch(bed, lost(Operation::exec_start));
        bed.answer("kill", {killed});
        const LeasedRun run = run_leased(bed, Rerun::if_not_begun);
        ASSERT_FALSE(run.job) << killed;
        EXPECT_EQ(run.job.error().kind(), ErrorKind::timeout);
        EXPECT_EQ(bed.bed.sandboxes().size(), 2U);
        EXPECT_EQ(bed.bed.living(), 1U);
    }
}

// It printed, and removed its folder: a fence proves nothing then.
TEST(JobLeased, StaysWhereItWasSeenToRun) {
    JobBed bed;
    bed.follow({"out 0 2\nhi"}, Stream::End::reset);
    bed.follow({"end absent\n"});
    bed.answer("kill", {"end fenced\n"});
    const LeasedRun run = run_leased(bed, Rerun::if_not_begun);
    ASSERT_FALSE(run.job);
    EXPECT_EQ(run.job.error().kind(), ErrorKind::not_found);
    EXPECT_EQ(bed.script.count("launch"), 1U);
    EXPECT_EQ(bed.bed.sandboxes().size(), 2U);
}

TEST(JobLeased, GoesOnWhenItsSandboxIsConfirmedGoneIfThatIsAllowed) {
    JobBed bed;
    refuse_launch(bed, lost(Operation::exec_start));
    bed.follow({"end code 0 0 0\n"});
    const LeasedRun run = run_leased(bed, Rerun::if_gone);
    ASSERT_TRUE(run.job);
    EXPECT_EQ(bed.bed.sandboxes().size(), 3U);
}

TEST(JobLeased, NeverGoesOnWhileItsSandboxMayBeThere) {
    Policy policy;
    policy.teardown_deadline = std::chrono::seconds(5);
    JobBed bed(policy, {{"runner[own]/container_remove#1/fate", "status_before(500)", true}});
    refuse_launch(bed, lost(Operation::exec_start));
    bed.answer("kill", {"end fenced\n"});
    const LeasedRun run = run_leased(bed, Rerun::if_gone);
    EXPECT_FALSE(run.job);
    ASSERT_FALSE(run.teardown);
    EXPECT_EQ(run.teardown.error().kind(), ErrorKind::teardown);
    EXPECT_EQ(bed.bed.sandboxes().size(), 2U);
}

TEST(JobLeased, AnEndThatNobodyKnowsIsRunAgainOnlyIfGone) {
    for (const Rerun rerun : {Rerun::if_not_begun, Rerun::if_gone}) {
        JobBed bed;
        bed.follow({"end unknown 0 0\n"});
        bed.answer("kill", {"end unknown 0 0\n"});
        bed.follow({"end code 0 0 0\n"});
        const LeasedRun run = run_leased(bed, rerun);
        ASSERT_TRUE(run.job);
        EXPECT_EQ(run.job->exit_code.has_value(), rerun == Rerun::if_gone);
    }
}

TEST(JobLeased, AJobThatFailsIsNotRunAgain) {
    JobBed bed;
    bed.follow({"end code 1 0 0\n"});
    const LeasedRun run = run_leased(bed, Rerun::if_gone);
    ASSERT_TRUE(run.job);
    EXPECT_EQ(run.job->exit_code, 1);
    EXPECT_EQ(bed.bed.sandboxes().size(), 2U);
}

TEST(JobLeased, TriesNoMoreThanThePolicysAttempts) {
    JobBed bed;
    for (int i = 0; i < 4; ++i) {
        refuse_launch(bed, refused_connection(Operation::exec_start));
        bed.answer("kill", {"end fenced\n"});
    }
    const LeasedRun run = run_leased(bed, Rerun::if_not_begun);
    ASSERT_FALSE(run.job);
    EXPECT_EQ(bed.bed.sandboxes().size(), 1U + 3U);
    EXPECT_EQ(run.job.error().causes().size(), 1U) << "the sandbox before it";
}

TEST(JobLeased, WhatNoSandboxCuresIsNotTriedAgain) {
    JobBed bed;
    bed.script.starts = {answered(Operation::exec_start, ErrorKind::invalid, 400)};
    const LeasedRun run = run_leased(bed, Rerun::if_gone);
    ASSERT_FALSE(run.job);
    EXPECT_EQ(bed.bed.sandboxes().size(), 2U);
}

}  // namespace
}  // namespace drydock::test
