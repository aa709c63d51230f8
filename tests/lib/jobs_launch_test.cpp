// Launching: what is sent, what is repeated, and what becomes of a launch that was lost.
#include "support/job_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(JobLaunch, RunsACommandAndTellsItsEnd) {
    JobBed bed;
    Collected got;
    bed.follow({"out 0 6\nhello\nerr 0 1\n!", "end code 7 6 1\n"});
    const auto result = bed.run(JobBed::plain(), got.sink());
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->state, JobState::ended);
    EXPECT_EQ(result->exit_code, 7);
    EXPECT_EQ(result->out.size, 6U);
    EXPECT_FALSE(result->out.has_gap || result->err.has_gap || result->timed_out);
    EXPECT_EQ(got.out, "hello\n");
    EXPECT_EQ(got.err, "!");
    EXPECT_TRUE(got.is_in_step);
}

TEST(JobLaunch, TheGuardIsPutInPlaceOncePerSandbox) {
    JobBed bed;
    ASSERT_TRUE(bed.start());
    ASSERT_TRUE(bed.start({.id = "job2", .argv = {"true"}}));
    ASSERT_EQ(bed.script.uploaded.size(), 1U);
    const auto& entries = bed.script.uploaded[0];
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].path, "/.drydock");
    EXPECT_EQ(entries[0].kind, FileEntry::Kind::folder);
    EXPECT_EQ(entries[0].mode, 01777U);
    EXPECT_EQ(entries[1].path, "/.drydock/guard");
    EXPECT_EQ(entries[1].mode, 0755U);
    EXPECT_THAT(entries[1].content, HasSubstr("main \"$@\""));

    Lease other = bed.bed.acquire("other").value();
    ASSERT_TRUE(bed.bed.run(bed.jobs.start(other, JobBed::plain())));
    EXPECT_EQ(bed.script.uploaded.size(), 2U);
}

TEST(JobLaunch, TheCommandGoesThroughTheGuard) {
    JobBed bed;
    JobSpec spec{.id = "a/b",
                 .argv = {"make", "-j", "2"},
                 .environment = {"A=1"},
                 .working_dir = "/src",
                 .with_stdin = true};
    ASSERT_TRUE(bed.start(spec));
    ASSERT_TRUE(bed.start());
    const auto& first = bed.script.execs.at(0);
    EXPECT_THAT(first.argv.at(3), testing::MatchesRegex("x[0-9a-f]{32}"));
    EXPECT_THAT(first.argv, ElementsAre("sh", "/.drydock/guard", "launch", testing::_, "stdin",
                                        "/src", "--", "make", "-j", "2"));
    EXPECT_THAT(first.environment, ElementsAre("A=1"));
    EXPECT_FALSE(first.has_output) << "it is started detached";
    EXPECT_THAT(bed.script.execs.at(1).argv, ElementsAre("sh", "/.drydock/guard", "launch", "job",
                                                         "null", "-", "--", "make", "all"));
    EXPECT_THAT(bed.script.started, ElementsAre("e1", "e2"));
}

TEST(JobLaunch, WhatCannotBeIsRefusedBeforeAnythingIsSent) {
    JobBed bed;
    const std::vector<JobSpec> impossible = {
        {.id = "", .argv = {"x"}},
        {.id = "\xff", .argv = {"x"}},
        {.id = "j", .argv = {}},
        {.id = "j", .argv = {""}},
        {.id = "j", .argv = {"-x"}},
        {.id = "j", .argv = {"x", "\xff"}},
        {.id = "j", .argv = {"x", std::string("a\0b", 3)}},
        {.id = "j", .argv = {"x"}, .environment = {"A"}},
        {.id = "j", .argv = {"x"}, .environment = {"=1"}},
        {.id = "j", .argv = {"x"}, .environment = {"DRYDOCK_JOB=other"}},
        {.id = "j", .argv = {"x"}, .working_dir = "src"},
        {.id = "j", .argv = {"x"}, .timeout = Duration::zero()},
    };
    for (const JobSpec& spec : impossible) {
        EXPECT_EQ(bed.run(spec).error().kind(), ErrorKind::invalid);
        EXPECT_EQ(bed.start(spec).error().kind(), ErrorKind::invalid);
    }
    EXPECT_EQ(bed.wait("").error().kind(), ErrorKind::invalid);
    EXPECT_EQ(bed.kill("").error().kind(), ErrorKind::invalid);
    EXPECT_EQ(bed.sent(), 0U);
}

TEST(JobLaunch, ALeaseThatWasGivenBackIsRefused) {
    JobBed bed;
    ASSERT_TRUE(bed.start());
    const std::size_t before = bed.sent();
    ASSERT_TRUE(bed.bed.run(bed.bed.manager().cleanup("k")));
    const Lease nothing;
    for (const Lease* lease : {&std::as_const(bed.lease), &nothing}) {
        EXPECT_EQ(bed.bed.run(bed.jobs.run(*lease, JobBed::plain())).error().kind(),
                  ErrorKind::invalid);
        EXPECT_EQ(bed.bed.run(bed.jobs.start(*lease, JobBed::plain())).error().kind(),
                  ErrorKind::invalid);
        EXPECT_EQ(bed.bed.run(bed.jobs.wait(*lease, "job")).error().kind(), ErrorKind::invalid);
        EXPECT_EQ(bed.bed.run(bed.jobs.kill(*lease, "job")).error().kind(), ErrorKind::invalid);
        EXPECT_EQ(bed.bed.run(bed.jobs.write_stdin(*lease, "job", "x")).error().kind(),
                  ErrorKind::invalid);
        EXPECT_EQ(bed.bed.run(bed.jobs.close_stdin(*lease, "job")).error().kind(),
                  ErrorKind::invalid);
    }
    EXPECT_EQ(bed.sent(), before);
}

TEST(JobLaunch, AnAmbiguousStartIsLaunchedAgainWithAFreshExec) {
    JobBed bed;
    bed.script.starts = {
        lost(Operation::exec_start),
        answered(Operation::exec_start, ErrorKind::unavailable, 500, Landed::unknown)};
    EXPECT_TRUE(bed.start());
    EXPECT_THAT(bed.script.started, ElementsAre("e1", "e2", "e3"));
    EXPECT_EQ(bed.bed.count(Operation::backoff), 2U);
}

TEST(JobLaunch, WhatIsInDoubtToTheLastIsSaidToBe) {
    JobBed bed;
    bed.script.starts = {lost(Operation::exec_start), refused_connection(Operation::exec_start),
                         refused_connection(Operation::exec_start)};
    const auto started = bed.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().kind(), ErrorKind::connect);
    EXPECT_EQ(started.error().landed(), Landed::unknown) << "the first may have begun the job";
    EXPECT_EQ(started.error().obligation(), Obligation::remains);
    EXPECT_EQ(bed.script.started.size(), 3U) << "no more than the policy's attempts";
}

TEST(JobLaunch, WhatNeverReachedTheSandboxIsSaidToBe) {
    JobBed bed;
    const Refusal none = refused_connection(Operation::exec_start);
    bed.script.starts = {none, none, none};
    const auto started = bed.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().landed(), Landed::no);
    EXPECT_EQ(started.error().obligation(), Obligation::none);
}

TEST(JobLaunch, ACreateThatFailsIsRepeated) {
    JobBed bed;
    bed.script.uploads = {lost(Operation::archive_put), refused_connection(Operation::archive_put)};
    bed.script.creates = {lost(Operation::exec_create), refused_connection(Operation::exec_create)};
    EXPECT_TRUE(bed.start());
    EXPECT_EQ(bed.script.uploaded.size(), 3U);
    EXPECT_EQ(bed.script.started.size(), 1U);
}

TEST(JobLaunch, AnAnswerThatWillNotChangeIsNotRepeated) {
    JobBed bed;
    bed.script.starts = {answered(Operation::exec_start, ErrorKind::invalid, 400)};
    EXPECT_EQ(bed.start().error().kind(), ErrorKind::invalid);
    EXPECT_EQ(bed.script.started.size(), 1U);
    bed.script.creates = {answered(Operation::exec_create, ErrorKind::forbidden, 403)};
    EXPECT_EQ(bed.start().error().kind(), ErrorKind::forbidden);
    EXPECT_EQ(bed.script.started.size(), 1U);
}

TEST(JobLaunch, ASandboxWithoutAWritableRootIsInvalid) {
    JobBed bed;
    bed.script.uploads = {answered(Operation::archive_put, ErrorKind::invalid, 500)};
    EXPECT_EQ(bed.start().error().kind(), ErrorKind::invalid);
    EXPECT_EQ(bed.script.uploaded.size(), 1U);
    EXPECT_THAT(bed.script.execs, IsEmpty());
}

TEST(JobLaunch, AConflictMeansThatItWasStarted) {
    JobBed bed;
    bed.script.starts = {
        answered(Operation::exec_start, ErrorKind::conflict, 409, Landed::unknown)};
    EXPECT_TRUE(bed.start());
    EXPECT_EQ(bed.script.started.size(), 1U);
}

// The guard has not seen it yet: its launcher is on its way.
TEST(JobLaunch, ALaunchUnderWayIsWaitedFor) {
    JobBed bed;
    bed.follow({"end absent\n"});
    bed.follow({"end absent\n"});
    bed.follow({"end code 0 0 0\n"});
    const auto result = bed.run();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 0);
    EXPECT_EQ(bed.script.count("launch"), 1U);
    EXPECT_THAT(bed.script.inspected, ElementsAre("e1", "e1"));
    EXPECT_EQ(bed.bed.count(Operation::job_wait), 2U);
}

TEST(JobLaunch, ALaunchThatNeverClaimsEndsTheWait) {
    JobBed bed;
    for (int i = 0; i < 500; ++i) {
        bed.follow({"end absent\n"});
    }
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::timeout);
    EXPECT_EQ(result.error().obligation(), Obligation::remains);
    EXPECT_EQ(bed.script.count("launch"), 1U);
}

TEST(JobLaunch, ALostLaunchIsMadeAgain) {
    const std::vector<Result<ExecStatus>> lost_ones = {
        ExecStatus{.is_running = false, .exit_code = 137},  // killed
        ExecStatus{.is_running = false, .exit_code = {}},   // never started
        ExecStatus{.is_running = false, .exit_code = 127},  // the script was not there
        ExecStatus{.is_running = false, .exit_code = 100},  // another claimer lived then
        answered(Operation::exec_inspect, ErrorKind::not_found, 404),
    };
    for (const auto& status : lost_ones) {
        JobBed bed;
        bed.follow({"end absent\n"});
        bed.follow({"end code 0 0 0\n"});
        bed.script.statuses.push_back(status);
        const auto result = bed.run();
        ASSERT_TRUE(result);
        EXPECT_EQ(result->exit_code, 0);
        EXPECT_THAT(bed.script.started, ElementsAre("e1", "e3"));
        EXPECT_EQ(bed.script.uploaded.size(), 2U) << "the guard may be what was missing";
    }
}

TEST(JobLaunch, LostLaunchesAreBounded) {
    JobBed bed;
    for (int i = 0; i < 9; ++i) {
        bed.follow({"end absent\n"});
        bed.script.statuses.push_back(ExecStatus{.is_running = false, .exit_code = 137});
    }
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::unavailable);
    EXPECT_EQ(bed.script.count("launch"), 3U);
}

TEST(JobLaunch, ASandboxThatCannotRunTheGuardIsInvalid) {
    JobBed bed;
    bed.follow({"end absent\n"});
    bed.script.statuses.push_back(ExecStatus{.is_running = false, .exit_code = 122});
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::invalid);
    EXPECT_EQ(result.error().obligation(), Obligation::none) << "nothing has begun";
    EXPECT_EQ(bed.script.count("launch"), 1U);
}

TEST(JobLaunch, AGuardThatCannotGoOnIsInvalidIfItsLauncherSaysSoToo) {
    JobBed bed;
    bed.follow({"end broken no tail\n"});
    bed.script.statuses.push_back(ExecStatus{.is_running = false, .exit_code = 122});
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::invalid);
    EXPECT_THAT(std::string(result.error().message()), HasSubstr("no tail"));
}

TEST(JobLaunch, AGuardThatCannotGoOnNowIsAskedAgain) {
    JobBed bed;
    for (int i = 0; i < 9; ++i) {
        bed.follow({"end broken cannot fork\n"});
    }
    const auto result = bed.run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::unavailable);
    EXPECT_EQ(result.error().obligation(), Obligation::remains);
    EXPECT_THAT(std::string(result.error().message()), HasSubstr("cannot fork"));
    EXPECT_EQ(bed.follows().size(), 6U);
}

TEST(JobLaunch, AWaitPutsTheGuardInPlaceAsSoonAsThatWorks) {
    JobBed bed;
    bed.script.uploads.assign(4, lost(Operation::archive_put));
    bed.follow({"end code 0 0 0\n"});
    const auto result = bed.wait();
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(bed.script.uploaded.size(), 5U);
    EXPECT_EQ(bed.script.count("follow"), 1U);
}

// A launcher that ended well has seen the job begin. If the guard knows nothing of it, its files
// are gone, and another launch would run it twice.
TEST(JobLaunch, WhatHasBegunIsNotLaunchedAgainWhenItsFilesAreGone) {
    for (const int code : {0, 1, 101}) {
        JobBed bed;
        bed.follow({"end absent\n"});
        bed.follow({"end absent\n"});
        bed.script.statuses.push_back(ExecStatus{.is_running = false, .exit_code = code});
        const auto result = bed.run();
        ASSERT_FALSE(result) << code;
        EXPECT_EQ(result.error().kind(), ErrorKind::not_found);
        EXPECT_EQ(result.error().obligation(), Obligation::remains);
        EXPECT_EQ(bed.script.count("launch"), 1U);
    }
}

TEST(JobLaunch, OutputProvesThatItHasBegun) {
    JobBed bed;
    Collected got;
    bed.follow({"out 0 2\nhi"}, Stream::End::reset);
    bed.follow({"end absent\n"});
    bed.script.statuses.push_back(ExecStatus{.is_running = false, .exit_code = 137});
    const auto result = bed.run(JobBed::plain(), got.sink());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::not_found);
    EXPECT_EQ(bed.script.count("launch"), 1U);
}

TEST(JobLaunch, WaitingForAnUnknownJobIsNotFoundAndLaunchesNothing) {
    JobBed bed;
    bed.follow({"end absent\n"});
    const auto result = bed.wait("other");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), ErrorKind::not_found);
    EXPECT_EQ(bed.script.count("launch"), 0U);
}

TEST(JobLaunch, AJobOfAnEarlierProcessCanBeWaitedFor) {
    JobBed bed;
    Collected got;
    bed.follow({"out 3 2\nlo", "end code 0 5 0\n"});
    const OutputFrom from{.out = 3};
    const auto result = bed.wait("job", got.sink(from), from);
    ASSERT_TRUE(result);
    EXPECT_EQ(got.out, "lo");
    EXPECT_TRUE(got.is_in_step);
    EXPECT_FALSE(result->out.has_gap);
    EXPECT_THAT(bed.follows(), ElementsAre("3 0"));
    EXPECT_EQ(bed.script.uploaded.size(), 1U);
}

TEST(JobLaunch, ACancelledStartReturnsAtOnce) {
    JobBed bed;
    bed.script.starts = {lost(Operation::exec_start)};
    const auto call = bed.bed.begin(bed.jobs.start(bed.lease, JobBed::plain()));
    ASSERT_TRUE(bed.bed.run_until([&] { return bed.bed.count(Operation::backoff) == 1; }));
    bed.bed.cancel(call);
    const Time asked = bed.bed.now();
    ASSERT_TRUE(bed.bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->ended, asked);
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(call->error().landed(), Landed::unknown);
    EXPECT_EQ(call->record, asio::cancellation_type::terminal);
    EXPECT_EQ(bed.script.started.size(), 1U);
}

}  // namespace
}  // namespace drydock::test
