// What a launch leaves in the files, and that of any number of them one at most begins the job.
#include "sim/guard_support.hpp"

#include <drydock/sim/job_output.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

constexpr int has_live_claimer = 100;
constexpr int has_begun = 101;
constexpr int no_guard = 122;

/// Ends without a kill, or by the seventh of its steps that kill ends it.
constexpr std::uint32_t steps_of_a_launch = 8;

TEST(GuardLaunch, LeavesItsRecords) {
    GuardHarness h;
    const auto launch = h.launch({"takes=3s", "out=100", "err=20", "exit=3"});
    h.pass(2s);
    EXPECT_FALSE(launch->has_ended);
    EXPECT_EQ(h.claims(), Words{claim_of(*h.engine.tasks(1).find(launch->exec->pid))});
    EXPECT_EQ(h.entry("begun"), "");
    EXPECT_EQ(h.entry("exit"), "-");
    h.pass(2s);
    EXPECT_EQ(launch->exit_code(), 0);
    EXPECT_EQ(h.entry("exit"), "3");
    EXPECT_EQ(h.entry("out"), job_output(false, 100));
    EXPECT_EQ(h.entry("err"), job_output(true, 20));
    EXPECT_EQ(h.entry("in"), "-");
    EXPECT_EQ(launch->out + launch->err, "");
    EXPECT_EQ(h.steps, steps_of_a_launch);
}

TEST(GuardLaunch, TheJobHasItsTagAndThePlaceAskedFor) {
    GuardHarness h;
    h.guard({"launch", "j", "null", "/work", "--", "sh", "-c", "pwd; echo $DRYDOCK_JOB $A"});
    h.run({"sh", "/.drydock/guard", "launch", "k", "null", "-", "--", "sh", "-c", "echo $A"},
          {"A=b"});
    h.pass(1s);
    EXPECT_EQ(h.entry("out"), "/work\nj \n");
    EXPECT_EQ(h.entry("../k/out"), "b\n");
    ASSERT_EQ(h.begun(), 1U);
    EXPECT_THAT(h.truth()->argv, ElementsAre("sh", "-c", "pwd; echo $DRYDOCK_JOB $A"));
}

TEST(GuardLaunch, AProgramThatCannotBeRunIsTheJobsExitCode) {
    GuardHarness h;
    h.guard({"launch", "j", "null", "-", "--", "nonesuch"});
    h.guard({"launch", "k", "null", "-", "--", "/etc/passwd"});
    h.pass(1s);
    EXPECT_EQ(h.entry("exit"), "127");
    EXPECT_EQ(h.entry("../k/exit"), "126");
}

TEST(GuardLaunch, ASecondOneFindsTheFirst) {
    GuardHarness h;
    h.launch({"takes=1s"});
    h.pass(500ms);
    const auto second = h.launch({"takes=1s"});
    h.pass(2s);
    EXPECT_EQ(second->exit_code(), has_live_claimer);
    const auto third = h.launch({"takes=1s"});
    h.pass(2s);
    EXPECT_EQ(third->exit_code(), has_begun);
    EXPECT_EQ(h.begun(), 1U);
    EXPECT_THAT(h.claims(), SizeIs(1));
}

TEST(GuardLaunch, WithoutTheScriptTheShellSaysSo) {
    GuardHarness h;
    h.files().remove(guard_path, {});
    const auto launch = h.launch({});
    h.pass(1s);
    EXPECT_EQ(launch->exit_code(), 2);
    EXPECT_EQ(launch->err, "sh: can't open '/.drydock/guard': No such file or directory\n");
    EXPECT_EQ(h.steps, 0U);
}

TEST(GuardLaunch, WhatCannotWorkIsKnownBeforeTheClaim) {
    SandboxConfig read_only = GuardHarness::plain();
    read_only.has_read_only_root = true;
    SandboxConfig mounted = GuardHarness::plain();
    Mount mount;
    mount.type = "bind";
    mount.destination = "/.drydock";
    mounted.mounts.push_back(mount);
    GuardHarness h;
    const auto no_folder = h.guard({"launch", "j", "null", "/nonesuch", "--", "true"});
    const auto file = h.guard({"launch", "j", "null", "/etc/passwd", "--", "true"});
    const auto no_words = h.guard({"launch", "j", "null", "-", "--"});
    h.pass(1s);
    EXPECT_EQ(no_folder->exit_code(), no_guard);
    EXPECT_EQ(no_folder->err, "guard: no directory /nonesuch\n");
    EXPECT_EQ(file->err, "guard: no directory /etc/passwd\n");
    EXPECT_EQ(no_words->exit_code(), no_guard);
    EXPECT_THAT(h.claims(), SizeIs(0));

    GuardHarness on_mount(mounted);
    on_mount.files().append(guard_path, "the script", {});
    const auto launch = on_mount.launch({});
    on_mount.pass(1s);
    EXPECT_EQ(launch->err, "guard: /.drydock is on a mount\n");
    EXPECT_EQ(launch->exit_code(), no_guard);
}

TEST(GuardLaunch, AClaimOfAnotherBootIsNeverTakenOver) {
    GuardHarness h;
    h.files().make_folder("/.drydock/j", {});
    h.files().make_link("/.drydock/j/claim.1", "another-boot:7:100", {});
    const auto launch = h.launch({});
    h.pass(1s);
    EXPECT_EQ(launch->exit_code(), has_begun);
    EXPECT_EQ(h.begun(), 0U);
    const auto follow = h.follow();
    EXPECT_EQ(h.end_of(follow), "end unknown 0 0");
}

TEST(GuardLaunch, AClaimThatIsNoneIsNotGuessedAt) {
    GuardHarness h;
    h.files().make_folder("/.drydock/j", {});
    h.files().make_link("/.drydock/j/claim.1", "nonsense", {});
    const auto launch = h.launch({});
    const auto follow = h.follow();
    h.pass(1s);
    EXPECT_EQ(launch->exit_code(), no_guard);
    EXPECT_EQ(launch->err, "guard: a claim reads nonsense\n");
    EXPECT_EQ(follow->out, "end broken a claim reads nonsense\n");
    EXPECT_EQ(h.begun(), 0U);
}

/// Whatever became of the job, it took effect once at most, what is recorded is true, and only one
/// that has never begun is taken up again.
void expect_sound(GuardHarness& h, const std::string& what) {
    SCOPED_TRACE(what);
    h.pass(10s);
    h.plan.clear();
    EXPECT_LE(h.begun(), 1U);
    const auto follow = h.follow();
    const std::string end = h.end_of(follow);
    const std::size_t before = h.begun();
    if (end == "end absent" || end == "end fenced") {
        EXPECT_EQ(before, 0U);
    } else if (end.starts_with("end code")) {
        ASSERT_EQ(before, 1U);
        EXPECT_EQ(end, "end code " + std::to_string(h.truth()->exit_code) + " " +
                           std::to_string(h.truth()->out) + " 0");
    } else {
        EXPECT_EQ(end.substr(0, 11), "end unknown");
        EXPECT_EQ(h.living(), 0U);
        EXPECT_EQ(h.entry("exit"), "-");
    }
    h.launch({"takes=1s", "out=8"});
    h.pass(10s);
    EXPECT_EQ(h.begun(), end == "end absent" ? 1U : before);
    if (end == "end absent") {
        const auto again = h.follow();
        EXPECT_EQ(h.end_of(again), "end code 0 8 0");
    }
}

TEST(GuardLaunch, TwoRaceFromEveryOffset) {
    std::size_t found_live = 0;
    for (Duration offset{}; offset < 25ms; offset += 250us) {
        GuardHarness h;
        const auto first = h.launch({"takes=10ms", "out=8"});
        h.pass(offset);
        const auto second = h.launch({"takes=10ms", "out=8"});
        expect_sound(h, std::to_string(offset.count()));
        EXPECT_EQ(h.begun(), 1U);
        EXPECT_EQ((first->exit_code() == 0) + (second->exit_code() == 0), 1);
        found_live += second->exit_code() == has_live_claimer ? 1 : 0;
    }
    EXPECT_GT(found_live, 40U);
}

// The first stops before each of its steps, the second goes so far, and stops or dies; then the
// first goes on.
TEST(GuardLaunch, TwoInterleaveAtEveryPairOfSteps) {
    std::size_t runs = 0;
    for (const bool is_killed : {false, true}) {
        for (std::uint32_t i = 1; i <= steps_of_a_launch; ++i) {
            for (std::uint32_t j = i + 1; j <= i + steps_of_a_launch; ++j) {
                GuardHarness h;
                h.plan[i] = faults::steps::slow(1s);
                h.plan[j] = is_killed ? faults::steps::kill_guard() : faults::steps::slow(2s);
                h.launch({"takes=10ms", "out=8"});
                h.pass(500ms);
                h.launch({"takes=10ms", "out=8"});
                expect_sound(h, std::to_string(i) + " " + std::to_string(j));
                ++runs;
            }
        }
    }
    EXPECT_EQ(runs, 128U);
}

TEST(GuardLaunch, KilledBeforeEveryStepItIsTakenUpOrLeft) {
    for (const auto kind : {faults::StepFault::Kind::kill_guard, faults::StepFault::Kind::kill_all,
                            faults::StepFault::Kind::kill_child}) {
        for (std::uint32_t n = 1; n <= steps_of_a_launch; ++n) {
            GuardHarness h;
            h.plan[n] = {kind, {}};
            const auto first = h.launch({"takes=10ms", "out=8"});
            h.pass(500ms);
            const auto second = h.launch({"takes=1s", "out=8"});
            h.pass(100ms);
            h.launch({"takes=1s", "out=8"});
            const bool kills_guard = kind != faults::StepFault::Kind::kill_child;
            EXPECT_EQ(h.struck[n], kills_guard || n == 7) << n;
            // Its begun is what nobody passes by, though it may not have run.
            const bool is_taken_up = kills_guard && n <= 5;
            const bool has_record = h.entry("begun") != "-";
            EXPECT_TRUE(has_record) << n;
            expect_sound(h, std::string(name(kind)) + " " + std::to_string(n));
            EXPECT_EQ(first->exit_code() == 137, kills_guard) << n;
            EXPECT_EQ(second->exit_code() == 0, is_taken_up) << n;
        }
    }
}

TEST(GuardLaunch, AJobWhoseGuardDiedIsNotRunAgainWhileItLives) {
    GuardHarness h;
    h.plan[7] = faults::steps::kill_guard(1s);
    h.launch({"takes=5s", "out=8"});
    h.pass(3s);
    ASSERT_EQ(h.living(), 1U);
    const auto follow = h.follow();
    const auto second = h.launch({"takes=5s"});
    h.pass(1s);
    EXPECT_EQ(second->exit_code(), has_begun);
    EXPECT_FALSE(follow->has_ended);
    EXPECT_EQ(h.end_of(follow), "end unknown 8 0");
    EXPECT_EQ(h.world.now().time_since_epoch() / 1s, 5);
}

TEST(GuardLaunch, AJobThatTheSandboxTookDownIsUnknown) {
    GuardHarness h;
    h.launch({"takes=10s", "out=8"});
    h.pass(6s);
    h.restart();
    const auto launch = h.launch({"takes=10s"});
    const auto follow = h.follow();
    EXPECT_EQ(h.end_of(follow), "end unknown 4 0");
    EXPECT_EQ(launch->exit_code(), has_begun);
    EXPECT_EQ(h.begun(), 1U);
}

// Not begun by an exec, it leads no session, and begins one in a child.
TEST(GuardLaunch, AClaimerThatNobodyReapedIsDead) {
    GuardHarness h;
    const auto mother = h.run({"sleep", "1000"});
    Tasks& tasks = h.engine.tasks(1);
    TaskSpec spec = tasks.find(mother->exec->pid)->spec();
    spec.argv = {"sh", std::string(guard_path), "launch", "j", "null", "-", "--", "drydock-job"};
    h.plan[4] = faults::steps::slow(10s);
    const Task& outer = tasks.find(mother->exec->pid)->spawn(std::move(spec));
    h.pass(1s);
    const std::uint32_t claimer = outer.pid() + 1;
    ASSERT_EQ(h.claims(), Words{claim_of(*tasks.find(claimer))});
    EXPECT_EQ(tasks.find(claimer)->session(), claimer);
    for (const std::uint32_t pid : {outer.pid(), claimer}) {
        tasks.signal(*tasks.find(pid), 9);
        h.pass(1ms);
    }
    ASSERT_EQ(tasks.find(claimer)->state(), Task::State::zombie);
    const auto launch = h.launch({});
    h.pass(1s);
    EXPECT_EQ(launch->exit_code(), 0);
    EXPECT_THAT(h.claims(), SizeIs(2));
}

TEST(GuardLaunch, EqualRunsHaveEqualDigests) {
    std::uint64_t digests[3] = {};
    for (int run = 0; run < 3; ++run) {
        GuardHarness h;
        h.plan[3] = run < 2 ? faults::steps::kill_guard() : faults::steps::slow(1s);
        h.launch({"takes=1s", "out=8"});
        h.pass(500us);
        h.launch({"takes=1s", "out=8"});
        h.pass(10s);
        digests[run] = h.digest();
    }
    EXPECT_EQ(digests[0], digests[1]);
    EXPECT_NE(digests[0], digests[2]);
}

}  // namespace
}  // namespace drydock::sim::test
