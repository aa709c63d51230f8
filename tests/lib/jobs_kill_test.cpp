// Killing, by hand and at the end of a timeout: confirmed by the sandbox's record, or said not to
// be.
#include "support/job_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

JobSpec timed(Duration timeout) {
    JobSpec spec = JobBed::plain();
    spec.timeout = timeout;
    return spec;
}

TEST(JobKill, IsConfirmedFromTheRecord) {
    const std::vector<std::pair<std::string, JobState>> states = {
        {"end unknown 3 0\n", JobState::killed},
        {"end code 137 3 0\n", JobState::ended},
        {"end fenced\n", JobState::not_begun},
    };
    for (const auto& [record, state] : states) {
        JobBed bed;
        bed.answer("kill", {record});
        const auto killed = bed.kill();
        ASSERT_TRUE(killed) << record;
        EXPECT_EQ(killed->state, state);
        EXPECT_EQ(killed->exit_code.has_value(), state == JobState::ended);
    }
}

// The guard fences a folder that the fence itself has made: the job has removed its own.
TEST(JobKill, WhatWasSeenToRunIsNotSaidToHaveNeverBegun) {
    JobBed bed;
    bed.follow({"out 0 2\nhi"}, Stream::End::reset);
    bed.follow({"end absent\n"});
    ASSERT_FALSE(bed.run());
    bed.answer("kill", {"end fenced\n"});
    const auto killed = bed.kill();
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->state, JobState::ended_unknown);
    bed.follow({"end fenced\n"});
    const auto result = bed.wait();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::ended_unknown);
}

TEST(JobKill, IsRepeatedOverABrokenLink) {
    JobBed bed;
    bed.script.opens = {lost(Operation::exec_start)};
    bed.answer("kill", {"end unk"}, Stream::End::reset);
    bed.answer("kill", {"end unknown 0 0\n"});
    const auto killed = bed.kill();
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->state, JobState::killed);
    EXPECT_EQ(bed.script.count("kill"), 3U);
}

TEST(JobKill, WhatIsNotConfirmedIsSaid) {
    JobBed bed;
    const auto killed = bed.kill();
    ASSERT_FALSE(killed);
    EXPECT_EQ(killed.error().obligation(), Obligation::remains);
    EXPECT_EQ(killed.error().landed(), Landed::unknown);
    EXPECT_EQ(bed.script.count("kill"), 3U);
}

TEST(JobKill, ProcessesThatAreLeftAreNamed) {
    JobBed bed;
    for (int i = 0; i < 3; ++i) {
        bed.answer("kill", {"end left 12 13\n"});
    }
    const auto killed = bed.kill();
    ASSERT_FALSE(killed);
    EXPECT_THAT(std::string(killed.error().message()), HasSubstr("12 13"));
    EXPECT_EQ(killed.error().obligation(), Obligation::remains);
}

TEST(JobKill, AnswersThatAreNoneConfirmNothing) {
    for (const char* answer :
         {"live\n", "end absent\n", "written\n", "killed\n", "end unknown 1\n"}) {
        JobBed bed;
        for (int i = 0; i < 3; ++i) {
            bed.answer("kill", {answer});
        }
        const auto killed = bed.kill();
        ASSERT_FALSE(killed) << answer;
        EXPECT_EQ(killed.error().obligation(), Obligation::remains);
    }
}

TEST(JobKill, InASandboxThatStandsStill) {
    const Refusal conflict = answered(Operation::exec_create, ErrorKind::conflict, 409);
    const auto kill_in = [&](bool is_paused, std::vector<FileEntry> files) {
        JobBed bed;
        SandboxInfo info;
        info.state = SandboxState::stopped;
        info.is_paused = is_paused;
        bed.script.creates = {conflict};
        bed.script.inspects = {info};
        bed.script.downloads.push_back(std::move(files));
        return bed.kill();
    };
    const FileEntry begun{FileEntry::Kind::file, "begun", "", 0644};
    const FileEntry code{FileEntry::Kind::link, "exit", "4", 0777};
    EXPECT_EQ(kill_in(false, {begun})->state, JobState::ended_unknown);
    EXPECT_EQ(kill_in(false, {begun, code})->exit_code, 4);
    EXPECT_EQ(kill_in(true, {begun, code})->exit_code, 4);
    EXPECT_EQ(kill_in(true, {begun}).error().kind(), ErrorKind::conflict);
    EXPECT_EQ(kill_in(false, {}).error().kind(), ErrorKind::conflict)
        << "nothing keeps it from beginning later";
}

TEST(JobKill, ACancelledKillReturnsAtOnce) {
    JobBed bed;
    bed.answer("kill", {}, Stream::End::stall);
    const auto call = bed.bed.begin(bed.jobs.kill(bed.lease, "job"));
    bed.bed.pass(1s);
    bed.bed.cancel(call);
    const Time asked = bed.bed.now();
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->ended, asked);
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(call->error().obligation(), Obligation::remains);
}

TEST(JobTimeout, KillsAndTellsTheOutput) {
    JobBed bed;
    Collected got;
    bed.follow({"out 0 2\nhe"}, Stream::End::stall);
    bed.answer("kill", {"end unknown 5 0\n"});
    bed.follow({"out 2 3\nllo", "end unknown 5 0\n"});
    const auto call = bed.bed.begin(bed.jobs.run(bed.lease, timed(20s), got.sink()));
    const Time begun = bed.bed.now();
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    ASSERT_TRUE(call->succeeded()) << call->error().describe();
    EXPECT_EQ(call->value().state, JobState::killed);
    EXPECT_TRUE(call->value().timed_out);
    EXPECT_FALSE(call->value().exit_code);
    EXPECT_FALSE(call->value().out.has_gap);
    EXPECT_EQ(got.out, "hello");
    EXPECT_GE(call->ended - begun, 20s);
    EXPECT_LT(call->ended - begun, 21s) << "the stall does not last longer than the timeout";
    EXPECT_EQ(bed.bed.living(), 1U) << "the sandbox stays";
}

TEST(JobTimeout, OneThatEndedJustInTimeKeepsItsCode) {
    JobBed bed;
    bed.follow({}, Stream::End::stall);
    bed.answer("kill", {"end code 0 0 0\n"});
    bed.follow({"end code 0 0 0\n"});
    const auto result = bed.run(timed(5s));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::ended);
    EXPECT_EQ(result->exit_code, 0);
    EXPECT_TRUE(result->timed_out);
}

TEST(JobTimeout, OneThatNeverBeganIsFenced) {
    JobBed bed;
    bed.follow({}, Stream::End::stall);
    bed.answer("kill", {"end fenced\n"});
    const auto result = bed.run(timed(5s));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::not_begun);
    EXPECT_TRUE(result->timed_out);
}

TEST(JobTimeout, AConfirmedKillStandsAlsoIfTheRestCannotBeRead) {
    JobBed bed;
    Collected got;
    bed.follow({"out 0 2\nhe"}, Stream::End::stall);
    bed.answer("kill", {"end unknown 5 0\n"});
    const auto result = bed.run(timed(5s), got.sink());
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->state, JobState::killed);
    EXPECT_EQ(result->out.size, 5U);
    EXPECT_TRUE(result->out.has_gap);
    EXPECT_FALSE(result->err.has_gap);
}

TEST(JobTimeout, WithoutAConfirmationTheSandboxGoes) {
    JobBed bed;
    bed.follow({}, Stream::End::stall);
    const auto result = bed.run(timed(5s));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::deadline);
    EXPECT_EQ(result.error().obligation(), Obligation::none) << "the job went with its sandbox";
    EXPECT_EQ(result.error().causes().size(), 1U);
    EXPECT_EQ(bed.bed.living(), 0U);
    EXPECT_FALSE(bed.lease.holds());
}

TEST(JobTimeout, WhatIsNeitherKilledNorTornDownIsSaid) {
    Policy policy;
    policy.teardown_deadline = 5s;
    JobBed bed(policy, {{"runner[k]/container_remove#1/fate", "status_before(500)", true}});
    bed.follow({}, Stream::End::stall);
    const auto result = bed.run(timed(5s));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::deadline);
    EXPECT_EQ(result.error().obligation(), Obligation::remains);
    EXPECT_EQ(result.error().causes().size(), 2U);
}

TEST(JobTimeout, ACancelWhileItKillsLeavesTheSandbox) {
    JobBed bed;
    bed.follow({}, Stream::End::stall);
    bed.answer("kill", {}, Stream::End::stall);
    const auto call = bed.bed.begin(bed.jobs.run(bed.lease, timed(5s)));
    ASSERT_TRUE(bed.bed.run_until([&] { return bed.script.count("kill") == 1; }));
    bed.bed.cancel(call);
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(call->error().obligation(), Obligation::remains);
    EXPECT_EQ(bed.bed.living(), 1U);
}

TEST(JobTimeout, ACancelAfterTheConfirmedKillOwesNothing) {
    JobBed bed;
    bed.follow({}, Stream::End::stall);
    bed.answer("kill", {"end unknown 5 0\n"});
    bed.follow({}, Stream::End::stall);
    const auto call = bed.bed.begin(bed.jobs.run(bed.lease, timed(5s)));
    ASSERT_TRUE(bed.bed.run_until([&] { return bed.script.count("follow") == 2; }));
    bed.bed.cancel(call);
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    ASSERT_FALSE(call->succeeded());
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(call->error().obligation(), Obligation::none);
}

TEST(JobTimeout, NothingIsLaunchedAgainAfterIt) {
    Policy policy;
    policy.backoff = ExplicitDelays{1h};
    JobBed bed(policy);
    bed.follow({"end absent\n"});
    bed.script.statuses.push_back(ExecStatus{.is_running = false, .exit_code = 137});
    bed.answer("kill", {"end fenced\n"});
    const auto result = bed.run(timed(5s));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::not_begun);
    EXPECT_EQ(bed.script.count("launch"), 1U);
}

TEST(JobTimeout, AnEndThatIsKnownIsNotLate) {
    JobBed bed;
    Collected got;
    for (int i = 0; i < 9; ++i) {
        bed.follow({"out 0 2\nhe", "end code 4 5 0\n"});
    }
    const auto result = bed.run(timed(5s), got.sink());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 4);
    EXPECT_FALSE(result->timed_out);
    EXPECT_EQ(bed.script.count("kill"), 0U);
}

TEST(JobTimeout, CountsFromTheLaunch) {
    JobBed bed;
    ASSERT_TRUE(bed.start(timed(60s)));
    bed.bed.pass(50s);
    bed.follow({}, Stream::End::stall);
    bed.answer("kill", {"end unknown 0 0\n"});
    bed.follow({"end unknown 0 0\n"});
    const Time waited = bed.bed.now();
    const auto result = bed.wait();
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->timed_out);
    EXPECT_LT(bed.bed.now() - waited, 11s);
}

TEST(JobTimeout, ALateReconnectionWaitsNoLongerThanIt) {
    Policy policy;
    policy.backoff = ExplicitDelays{1h};
    JobBed bed(policy);
    bed.answer("kill", {"end unknown 0 0\n"});
    const Time begun = bed.bed.now();
    const auto result = bed.run(timed(30s));
    ASSERT_TRUE(result);
    EXPECT_EQ(bed.script.count("kill"), 1U);
    EXPECT_EQ(result->state, JobState::killed);
    EXPECT_GE(bed.bed.now() - begun, 30s);
}

}  // namespace
}  // namespace drydock::test
