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

/// The bytes of the records of `out`.
std::string printed(std::string_view records) {
    std::string bytes;
    while (records.starts_with("out ")) {
        const std::size_t line = records.find('\n');
        const std::size_t digits = records.rfind(' ', line) + 1;
        const auto size = std::stoul(std::string(records.substr(digits, line - digits)));
        bytes += records.substr(line + 1, size);
        records.remove_prefix(line + 1 + size);
    }
    return bytes;
}

/// What a follow says that stood still for a while. It may be old, but not wrong.
void expect_true(GuardHarness& h, const std::shared_ptr<Ran>& follow) {
    const std::string end = h.end_of(follow);
    h.pass(10s);
    const std::string whole = h.entry("out");
    EXPECT_EQ(h.begun(), 1U);
    if (end.starts_with("end code")) {
        EXPECT_EQ(end, "end code 0 8 0");
        EXPECT_EQ(printed(follow->out), whole);
    } else {
        EXPECT_EQ(end, "end absent") << "it knew more than there was to know";
    }
}

// It sees one thing before the stop and the other after it.
TEST(GuardFollow, StandsStillAtAnyMomentOfALaunch) {
    std::size_t absent = 0;
    std::size_t runs = 0;
    for (const bool takes_over : {false, true}) {
        for (Duration stop{}; stop < 12ms; stop += 500us) {
            for (Duration start{}; start < 30ms; start += 500us) {
                SCOPED_TRACE(std::to_string(stop / 1us) + " " + std::to_string(start / 1us));
                GuardHarness h;
                h.plan[takes_over ? 5 : 100] = faults::steps::kill_guard();
                h.launch({"takes=8ms", "out=8"});
                h.pass(takes_over ? 1s : start);
                const auto follow = h.follow();
                h.pass(stop);
                h.signal(*follow, 19);
                if (takes_over) {
                    h.launch({"takes=8ms", "out=8"});
                    h.pass(start);
                } else {
                    h.pass(20ms);
                }
                h.signal(*follow, 18);
                expect_true(h, follow);
                absent += follow->answer() == "end absent" ? 1 : 0;
                ++runs;
            }
        }
    }
    EXPECT_GT(absent, 100U);
    EXPECT_GT(runs - absent, 1000U);
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
