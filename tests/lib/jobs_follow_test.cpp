// Output and end over links that break: each byte once, and no end that the guard did not tell.
#include "support/job_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

struct FollowedRun {
    Result<JobResult> result;
    Collected got;
};

/// Runs the job, whose streams were scripted.
FollowedRun run_of(JobBed& bed) {
    Collected got;
    Result<JobResult> result = bed.run(JobBed::plain(), got.sink());
    FollowedRun run{std::move(result), std::move(got)};
    return run;
}

/// That nothing of "hello" was lost, doubled or made up, and that the end is the guard's.
void expect_hello(const FollowedRun& run) {
    ASSERT_TRUE(run.result) << run.result.error().describe();
    EXPECT_EQ(run.got.out, "hello");
    EXPECT_TRUE(run.got.is_in_step);
    EXPECT_EQ(run.result->state, JobState::ended);
    EXPECT_EQ(run.result->exit_code, 0);
    EXPECT_FALSE(run.result->out.has_gap);
}

TEST(JobFollow, GoesOnFromItsOffsetWhateverTheStreamDid) {
    const std::vector<Stream> broken = {
        {.pieces = {"out 0 3\nhel", "out 3 5\nlo w"}},  // in a record
        {.pieces = {"out 0 3\nhel", "ou"}},             // in a header
        {.pieces = {"out 0 3\nhel"}},                   // a clean end
        {.pieces = {"out 0 3\nhel"}, .end = Stream::End::reset},
        {.pieces = {"out 0 3\nhel"}, .end = Stream::End::stall},
        {.pieces = {"out 0 3\nhel", "live\nlive\n"}},
        {.pieces = {"out 0 3\nhel", "out 9 1\nx"}},                   // one is missing
        {.pieces = {"out 0 3\nhel", "out 0 3\nhel", "out 1 2\nel"}},  // some again
        {.pieces = {"out 0 3\nhel", "Error: broken pipe\r\n"}},       // text
        {.pieces = {"out 0 3\nhel", "end code 0 5 0\n"}},             // some is missing
        {.pieces = {"out 0 3\nhel", "end what\n"}},
        {.pieces = {"out 0 3\nhel", "written\n"}},
        {.pieces = {"out 0 3\nhel", "end broken no tail\n"}},
    };
    for (const Stream& stream : broken) {
        JobBed bed;
        bed.script.streams["follow"].push_back(stream);
        bed.follow({"out 3 2\nlo", "end code 0 5 0\n"});
        expect_hello(run_of(bed));
        EXPECT_THAT(bed.follows(), ElementsAre("0 0", "3 0")) << stream.pieces.back();
        EXPECT_EQ(bed.script.count("launch"), 1U);
    }
}

// Bytes that a stream lost or doubled within a record make the next record out of step: what was
// held is thrown away, and comes again.
TEST(JobFollow, BytesThatWentMissingWithinARecordAreNotPassedOn) {
    for (const std::string& torn :
         {std::string("out 0 5\nhelout 5 3\nxyz"), std::string("out 0 5\nhelhello"),
          std::string("out 0 5\nhelive\n")}) {
        JobBed bed;
        bed.follow({torn});
        bed.follow({"out 0 5\nhello", "end code 0 5 0\n"});
        expect_hello(run_of(bed));
        EXPECT_THAT(bed.follows(), ElementsAre("0 0", "0 0")) << torn;
    }
}

TEST(JobFollow, OutputIsPassedOnAsItComes) {
    JobBed bed;
    Collected got;
    bed.follow({"out 0 5\nhello"}, Stream::End::stall);
    const auto call = bed.bed.begin(bed.jobs.run(bed.lease, JobBed::plain(), got.sink()));
    bed.bed.pass(1s);
    EXPECT_EQ(got.out, "hello") << "not only once more has come";
    EXPECT_FALSE(call->has_ended());
}

TEST(JobFollow, BytesMayComeOneByOne) {
    JobBed bed;
    std::vector<std::string> pieces;
    for (const char c : std::string("out 0 5\nhelloend code 0 5 0\n")) {
        pieces.emplace_back(1, c);
    }
    bed.follow(pieces);
    expect_hello(run_of(bed));
}

TEST(JobFollow, AStallIsBrokenOffAfterTheIdleLimit) {
    Policy policy;
    policy.job_idle = 7s;
    JobBed bed(policy);
    bed.follow({"out 0 5\nhello", "live\n"}, Stream::End::stall);
    bed.follow({"end code 0 5 0\n"});
    expect_hello(run_of(bed));
    EXPECT_THAT(bed.script.read_limits, testing::Each(Duration(7s)));
}

TEST(JobFollow, SignsOfLifeResetTheCount) {
    JobBed bed;
    for (int i = 0; i < 20; ++i) {
        bed.follow({"live\n"}, Stream::End::reset);
    }
    bed.follow({"out 0 5\nhello", "end code 0 5 0\n"});
    expect_hello(run_of(bed));
}

TEST(JobFollow, ALinkThatStaysBrokenEndsWithTheErrorAndSaysThatTheJobMayRun) {
    JobBed bed;
    for (int i = 0; i < 20; ++i) {
        bed.follow({"out 0 5\nhello"}, Stream::End::reset);
    }
    const FollowedRun run = run_of(bed);
    ASSERT_FALSE(run.result);
    const Error error = run.result.error();
    EXPECT_EQ(error.kind(), ErrorKind::reset);
    EXPECT_EQ(error.obligation(), Obligation::remains);
    EXPECT_THAT(std::string(error.message()), HasSubstr("may still run"));
    EXPECT_EQ(run.got.out, "hello");
    EXPECT_EQ(bed.follows().size(), 1U + 5U) << "the first made progress, five did not";
    EXPECT_EQ(bed.bed.count(Operation::job_wait), 5U);
}

TEST(JobFollow, ReconnectionsBackOff) {
    Policy policy;
    policy.backoff = ExplicitDelays{10s, 100s};
    policy.job_reconnects = 2;
    JobBed bed(policy);
    const Time begun = bed.bed.now();
    EXPECT_FALSE(bed.run());
    EXPECT_GE(bed.bed.now() - begun, 110s);
    EXPECT_LT(bed.bed.now() - begun, 111s);
}

TEST(JobFollow, TextInPlaceOfRecordsIsShown) {
    Policy policy;
    policy.job_reconnects = 0;
    JobBed bed(policy);
    bed.follow({"OCI runtime exec failed: exec: \"sh\": not found\r\n"});
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::protocol);
    EXPECT_THAT(std::string(result.error().message()), HasSubstr("exec: \"sh\": not found"));
}

TEST(JobFollow, WhatTheGuardComplainsOfIsShown) {
    Policy policy;
    policy.job_reconnects = 0;
    JobBed bed(policy);
    bed.script.streams["follow"].push_back({.stderr_text = "sh: cannot open /.drydock/guard\n"});
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_THAT(std::string(result.error().message()), HasSubstr("cannot open /.drydock/guard"));
}

TEST(JobFollow, FailuresToConnectCountToo) {
    JobBed bed;
    bed.script.starts = {std::nullopt};
    bed.script.opens = {lost(Operation::exec_start), refused_connection(Operation::exec_start),
                        answered(Operation::exec_start, ErrorKind::not_found, 404),
                        answered(Operation::exec_start, ErrorKind::conflict, 409)};
    bed.follow({"out 0 5\nhello", "end code 0 5 0\n"});
    expect_hello(run_of(bed));
    EXPECT_EQ(bed.script.count("follow"), 5U) << "an exec that the engine forgot is made anew";
}

TEST(JobFollow, ARefusalEndsTheWait) {
    JobBed bed;
    bed.script.creates = {std::nullopt,
                          answered(Operation::exec_create, ErrorKind::unauthorized, 401)};
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::unauthorized);
    EXPECT_EQ(result.error().obligation(), Obligation::remains);
}

TEST(JobFollow, AGapThatStaysIsStated) {
    JobBed bed;
    for (int i = 0; i < 9; ++i) {
        bed.follow({"out 0 2\nhe", "end code 4 5 0\n"});
    }
    const FollowedRun run = run_of(bed);
    ASSERT_TRUE(run.result);
    EXPECT_EQ(run.result->exit_code, 4) << "the end is known all the same";
    EXPECT_EQ(run.result->out.size, 5U);
    EXPECT_TRUE(run.result->out.has_gap);
    EXPECT_FALSE(run.result->err.has_gap);
}

TEST(JobFollow, AJobThatTruncatedItsOutputEndsAtOnce) {
    JobBed bed;
    bed.follow({"out 0 5\nhello", "end code 0 2 0\n"});
    const FollowedRun run = run_of(bed);
    ASSERT_TRUE(run.result);
    EXPECT_TRUE(run.result->out.has_gap);
    EXPECT_EQ(bed.follows().size(), 1U);
}

TEST(JobFollow, ACodeThatIsMissingIsNeverZero) {
    for (const char* end : {"end unknown 0 0\n", "end code 999 0 0\n", "end code x 0 0\n"}) {
        JobBed bed;
        bed.follow({end});
        const auto result = bed.run();
        ASSERT_TRUE(result) << end;
        EXPECT_EQ(result->state, JobState::ended_unknown);
        EXPECT_FALSE(result->exit_code);
    }
}

TEST(JobFollow, AFencedJobHasNotBegun) {
    JobBed bed;
    bed.follow({"end fenced\n"});
    const auto result = bed.run();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->state, JobState::not_begun);
    EXPECT_FALSE(result->exit_code);
}

TEST(JobFollow, WithoutASinkOnlyTheEndIsAskedFor) {
    JobBed bed;
    bed.follow({"end code 0 9 9\n"});
    const auto result = bed.run();
    ASSERT_TRUE(result);
    EXPECT_THAT(bed.follows(), ElementsAre("- -"));
    EXPECT_EQ(result->out.size, 9U);
    EXPECT_FALSE(result->out.has_gap) << "nobody wanted it";
}

TEST(JobFollow, ASinkThatThrowsEndsTheWait) {
    JobBed bed;
    bed.follow({"out 0 5\nhello", "end code 0 5 0\n"});
    const auto result =
        bed.run(JobBed::plain(), [](const JobOutput&) { throw std::runtime_error("full"); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::internal);
    EXPECT_EQ(result.error().obligation(), Obligation::remains);
    EXPECT_EQ(bed.script.count("kill"), 0U) << "the job goes on";
}

TEST(JobFollow, SeveralMayWaitForOneJob) {
    JobBed bed;
    Collected first;
    Collected second;
    ASSERT_TRUE(bed.start());
    bed.follow({"out 0 5\nhello", "end code 0 5 0\n"});
    bed.follow({"out 0 5\nhello", "end code 0 5 0\n"});
    const auto one = bed.bed.begin(bed.jobs.wait(bed.lease, "job", first.sink()));
    const auto two = bed.bed.begin(bed.jobs.wait(bed.lease, "job", second.sink()));
    ASSERT_TRUE(bed.bed.run_until([&] { return one->has_ended() && two->has_ended(); }));
    EXPECT_EQ(one->value().exit_code, 0);
    EXPECT_EQ(two->value().exit_code, 0);
    EXPECT_EQ(first.out, "hello");
    EXPECT_EQ(second.out, "hello");
}

TEST(JobFollow, ACancelledWaitReturnsAtOnceAndTheJobGoesOn) {
    JobBed bed;
    ASSERT_TRUE(bed.start());
    bed.follow({}, Stream::End::stall);
    const auto call = bed.bed.begin(bed.jobs.wait(bed.lease, "job"));
    bed.bed.pass(1s);
    ASSERT_EQ(bed.script.count("follow"), 1U);
    bed.bed.cancel(call);
    const Time asked = bed.bed.now();
    bed.bed.pass(1min);
    ASSERT_TRUE(call->has_ended());
    EXPECT_EQ(call->ended, asked);
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(call->error().obligation(), Obligation::remains);
    EXPECT_EQ(call->record, asio::cancellation_type::terminal);
    EXPECT_EQ(bed.script.count("kill"), 0U);
    EXPECT_EQ(bed.bed.living(), 1U);
    bed.follow({"end code 0 0 0\n"});
    EXPECT_EQ(bed.wait()->exit_code, 0) << "and can be waited for again";
}

TEST(JobFollow, ACancelWhileItBacksOffIsPrimary) {
    JobBed bed;
    const auto call = bed.bed.begin(bed.jobs.run(bed.lease, JobBed::plain()));
    ASSERT_TRUE(bed.bed.run_until([&] { return bed.bed.count(Operation::job_wait) == 1; }));
    bed.bed.cancel(call);
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(bed.script.count("follow"), 1U);
}

TEST(JobFollow, NothingIsSentOnceTheLeaseIsGivenBack) {
    JobBed bed;
    bed.follow({"live\n"}, Stream::End::stall);
    const auto call = bed.bed.begin(bed.jobs.run(bed.lease, JobBed::plain()));
    bed.bed.pass(1s);
    ASSERT_TRUE(bed.bed.run(bed.lease.release()));
    const std::size_t before = bed.sent();
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::invalid);
    EXPECT_EQ(bed.sent(), before);
}

}  // namespace
}  // namespace drydock::test
