#include "sim/guard_support.hpp"

#include <drydock/sim/job_output.hpp>

#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

std::string record(std::string_view name, std::uint64_t from, std::uint64_t to) {
    return std::string(name) + " " + std::to_string(from) + " " + std::to_string(to - from) + "\n" +
           job_output(name == "err", to).substr(from);
}

TEST(GuardFollow, AnAbsentJob) {
    GuardHarness h;
    const auto follow = h.follow();
    EXPECT_EQ(h.end_of(follow), "end absent");
    EXPECT_EQ(follow->exit_code(), 0);
    EXPECT_EQ(h.files().find("/.drydock/j"), nullptr) << "it made something";
}

TEST(GuardFollow, TellsOutputAsItComesAndTheEnd) {
    GuardHarness h;
    h.launch({"takes=4s", "out=80", "err=8", "exit=3"});
    h.pass(500ms);
    const auto follow = h.follow();
    h.pass(1s);
    EXPECT_EQ(follow->out, record("out", 0, 20) + record("err", 0, 2));
    h.pass(1s);
    EXPECT_EQ(follow->out, record("out", 0, 20) + record("err", 0, 2) + record("out", 20, 40) +
                               record("err", 2, 4));
    EXPECT_EQ(h.end_of(follow), "end code 3 80 8");
}

TEST(GuardFollow, BeginsWhereItIsAskedTo) {
    GuardHarness h;
    h.launch({"takes=1s", "out=80", "err=8"});
    h.pass(2s);
    const auto late = h.follow("60", "-");
    const auto only_end = h.follow("-", "-");
    const auto beyond = h.follow("100", "8");
    h.pass(1s);
    EXPECT_EQ(late->out, record("out", 60, 80) + "end code 0 80 8\n");
    EXPECT_EQ(only_end->out, "end code 0 80 8\n");
    EXPECT_EQ(beyond->out, "end code 0 80 8\n");
}

TEST(GuardFollow, LongOutputComesInParts) {
    constexpr std::uint64_t part = 1U << 20;
    GuardHarness h;
    h.launch({"takes=1s", "out=2000000"});
    h.pass(2s);
    const auto follow = h.follow("0", "-");
    EXPECT_EQ(h.end_of(follow), "end code 0 2000000 0");
    EXPECT_EQ(follow->out,
              record("out", 0, part) + record("out", part, 2000000) + "end code 0 2000000 0\n");
}

TEST(GuardFollow, SaysThatTheJobLives) {
    GuardHarness h;
    h.launch({"takes=25s"});
    h.pass(100ms);
    const auto follow = h.follow();
    EXPECT_EQ(h.end_of(follow), "end code 0 0 0");
    EXPECT_EQ(follow->out, "live\nlive\nend code 0 0 0\n");
}

TEST(GuardFollow, AKilledOneEndsWithoutAnEnd) {
    GuardHarness h;
    h.launch({"takes=1s", "out=80"});
    h.pass(2s);
    h.plan[h.steps + 1] = faults::steps::kill_guard();
    const auto follow = h.follow();
    h.pass(1s);
    EXPECT_TRUE(follow->has_ended);
    EXPECT_EQ(follow->out, "");
    EXPECT_EQ(follow->exit_code(), 137);
}

TEST(GuardFollow, ATruncatedOutputLeavesItsRecordTorn) {
    GuardHarness h;
    h.launch({"takes=1s", "out=80"});
    h.pass(2s);
    h.plan[h.steps + 1] = faults::steps::slow(1s);
    const auto follow = h.follow();
    h.pass(500ms);
    h.files().truncate("/.drydock/j/out", {});
    h.pass(2s);
    EXPECT_EQ(follow->out, "out 0 80\n");
    EXPECT_TRUE(follow->has_ended);
}

TEST(GuardFollow, WhatCannotBeFollowed) {
    GuardHarness h;
    const auto no_offsets = h.guard({"follow", "j"});
    const auto no_verb = h.guard({"fellow", "j"});
    const auto nothing = h.guard({"follow"});
    h.pass(1s);
    EXPECT_EQ(no_offsets->out, "end broken usage: guard follow JOB OUT ERR\n");
    EXPECT_EQ(no_verb->out, "end broken unknown verb: fellow\n");
    EXPECT_EQ(nothing->out, "end broken usage: guard VERB JOB ...\n");
}

}  // namespace
}  // namespace drydock::sim::test
