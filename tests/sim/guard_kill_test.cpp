#include "sim/guard_support.hpp"

#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

TEST(GuardKill, EndsTheJobAndItsChildren) {
    GuardHarness h;
    h.launch({"takes=1h", "out=8", "children=2", "ignores_term"});
    h.pass(31min);
    ASSERT_EQ(h.living(), 3U);
    const auto kill = h.kill();
    EXPECT_EQ(h.end_of(kill), "end unknown 4 0");
    EXPECT_EQ(h.living(), 0U);
    EXPECT_EQ(h.truth()->exit_code, 137);
    EXPECT_EQ(h.claims().back(), "void");
    EXPECT_EQ(h.claims().size(), 2U);
}

TEST(GuardKill, EndsAlsoWhatLeftTheSession) {
    GuardHarness h;
    h.launch({"takes=1s", "launcher", "exit=3"});
    h.pass(2s);
    ASSERT_EQ(h.living(), 1U);
    EXPECT_EQ(h.entry("exit"), "0");
    const auto kill = h.kill();
    EXPECT_EQ(h.end_of(kill), "end code 0 0 0");
    EXPECT_EQ(h.living(), 0U);
}

TEST(GuardKill, OneThatNeverBeganNeverWill) {
    GuardHarness h;
    const auto kill = h.kill();
    EXPECT_EQ(h.end_of(kill), "end fenced");
    const auto launch = h.launch({"takes=1s"});
    h.pass(3s);
    EXPECT_EQ(launch->exit_code(), 101);
    EXPECT_EQ(h.begun(), 0U);
    const auto again = h.kill();
    EXPECT_EQ(h.end_of(again), "end fenced");
    EXPECT_EQ(h.claims(), Words{"void"});
    const auto follow = h.follow();
    EXPECT_EQ(h.end_of(follow), "end fenced");
}

TEST(GuardKill, OneThatHasEndedKeepsItsCode) {
    GuardHarness h;
    h.launch({"takes=1s", "out=8", "exit=3"});
    h.pass(2s);
    const auto kill = h.kill();
    EXPECT_EQ(h.end_of(kill), "end code 3 8 0");
}

TEST(GuardKill, TouchesNoOtherJob) {
    GuardHarness h;
    h.guard({"launch", "other", "null", "-", "--", "drydock-job", "takes=10s"});
    h.launch({"takes=10s"});
    h.pass(1s);
    const auto kill = h.kill();
    EXPECT_EQ(h.end_of(kill), "end unknown 0 0");
    EXPECT_EQ(h.living("other"), 1U);
    h.pass(20s);
    EXPECT_EQ(h.entry("../other/exit"), "0");
}

/// A kill that was confirmed is final.
void expect_final(GuardHarness& h, const std::string& end) {
    EXPECT_EQ(h.living(), 0U);
    const std::size_t begun = h.begun();
    EXPECT_LE(begun, 1U);
    EXPECT_EQ(begun, end == "end fenced" ? 0U : begun);
    h.launch({"takes=10ms"});
    h.pass(10s);
    EXPECT_EQ(h.begun(), begun);
    EXPECT_EQ(h.living(), 0U);
}

TEST(GuardKill, RacesWithALaunchFromEveryOffset) {
    std::size_t fenced = 0;
    std::size_t runs = 0;
    for (Duration offset = -12ms; offset < 25ms; offset += 250us) {
        SCOPED_TRACE(offset.count());
        GuardHarness h;
        std::shared_ptr<Ran> kill;
        if (offset < Duration{}) {
            kill = h.kill();
            h.pass(-offset);
        }
        h.launch({"takes=10ms"});
        if (!kill) {
            h.pass(offset);
            kill = h.kill();
        }
        const std::string end = h.end_of(kill);
        ASSERT_TRUE(end == "end fenced" || end.starts_with("end unknown") ||
                    end.starts_with("end code 0"))
            << end;
        expect_final(h, end);
        fenced += end == "end fenced" ? 1 : 0;
        ++runs;
    }
    EXPECT_GT(fenced, 40U);
    EXPECT_LT(fenced, runs - 40);
}

// The launch stops before each of its steps, a kill goes so far and stops, and the launch goes on;
// and the other way round.
TEST(GuardKill, InterleavesWithALaunchAtEveryPairOfSteps) {
    constexpr std::uint32_t most_steps = 24;
    for (const bool launch_is_first : {true, false}) {
        for (std::uint32_t i = 1; i <= 8; ++i) {
            for (std::uint32_t j = i + 1; j <= i + most_steps; ++j) {
                SCOPED_TRACE(std::to_string(i) + " " + std::to_string(j));
                GuardHarness h;
                h.plan[i] = faults::steps::slow(1s);
                h.plan[j] = faults::steps::slow(2s);
                std::shared_ptr<Ran> kill;
                if (!launch_is_first) {
                    kill = h.kill();
                }
                h.pass(launch_is_first ? 0ms : 500ms);
                h.launch({"takes=10ms"});
                h.pass(launch_is_first ? 500ms : 0ms);
                if (launch_is_first) {
                    kill = h.kill();
                }
                expect_final(h, h.end_of(kill));
            }
        }
    }
}

TEST(GuardKill, KilledItselfBeforeEveryStepItCanBeRepeated) {
    constexpr std::uint32_t steps_of_a_kill = 18;
    for (std::uint32_t n = 1; n <= steps_of_a_kill; ++n) {
        SCOPED_TRACE(n);
        GuardHarness h;
        h.launch({"takes=10s"});
        h.pass(1s);
        h.plan[h.steps + n] = faults::steps::kill_guard();
        const auto kill = h.kill();
        h.pass(2s);
        EXPECT_EQ(kill->exit_code(), 137);
        const auto again = h.kill();
        const std::string end = h.end_of(again);
        EXPECT_EQ(end, "end unknown 0 0");
        expect_final(h, end);
    }
}

// A number is given out again after a restart, and its process is a stranger.
TEST(GuardKill, KnowsAStrangerByItsStart) {
    GuardHarness h;
    h.launch({"takes=10s"});
    h.pass(1s);
    h.restart();
    h.guard({"launch", "other", "null", "-", "--", "drydock-job", "takes=10s"});
    h.pass(1s);
    ASSERT_EQ(h.truth()->parent, h.truth("other")->parent);
    const auto kill = h.kill();
    EXPECT_EQ(h.end_of(kill), "end unknown 0 0");
    EXPECT_EQ(h.living("other"), 1U);
}

// The stranger's job goes on without the guard that led its session.
TEST(GuardKill, KnowsAStrangersSessionByTheSandboxesRun) {
    GuardHarness h;
    h.launch({"takes=10s"});
    h.pass(1s);
    h.restart();
    h.plan[h.steps + 7] = faults::steps::kill_guard();
    h.guard({"launch", "other", "null", "-", "--", "drydock-job", "takes=10s"});
    h.pass(1s);
    ASSERT_EQ(h.living("other"), 1U);
    const auto follow = h.follow();
    EXPECT_EQ(h.end_of(follow), "end unknown 0 0");
    EXPECT_LT(h.world.now() - Time{}, 5s) << "it took the stranger for the job's";
    const auto kill = h.kill();
    EXPECT_EQ(h.end_of(kill), "end unknown 0 0");
    EXPECT_EQ(h.living("other"), 1U);
}

}  // namespace
}  // namespace drydock::sim::test
