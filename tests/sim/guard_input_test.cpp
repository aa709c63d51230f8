#include "sim/guard_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class GuardInput : public testing::Test {
protected:
    std::string write(std::string text) {
        const auto ran = h.guard({"input", "j", std::move(text)});
        const std::string answer = h.end_of(ran);
        h.pass(1ms);  // it is in the pipe, and not yet read
        return answer;
    }
    std::string close() {
        const auto ran = h.guard({"close-input", "j"});
        return h.end_of(ran);
    }

    GuardHarness h;
};

TEST_F(GuardInput, ReachesTheJobOnce) {
    h.launch({"takes=1s", "reads=5"}, "stdin");
    h.pass(5s);
    EXPECT_EQ(h.entry("exit"), "-");
    EXPECT_EQ(write("\\0141\\0142\\n"), "written");
    EXPECT_THAT(h.truth()->in, ElementsAre("ab\n"));
    h.pass(1s);
    EXPECT_EQ(h.entry("exit"), "-");
    EXPECT_EQ(write("cd"), "written");
    h.pass(1s);
    EXPECT_EQ(h.entry("exit"), "0");
    EXPECT_EQ(write("e"), "end code 0 0 0");
    EXPECT_THAT(h.truth()->in, ElementsAre("ab\n", "cd"));
}

TEST_F(GuardInput, WaitsForALaunchThatIsUnderWay) {
    h.plan[6] = faults::steps::slow(3s);
    h.launch({"takes=1s", "reads=2"}, "stdin");
    EXPECT_EQ(write("ab"), "written");
    h.pass(2s);
    EXPECT_EQ(h.entry("exit"), "0");
}

TEST_F(GuardInput, IsTheJobsOwnText) {
    h.guard({"launch", "j", "stdin", "-", "--", "cat"});
    h.pass(1s);
    EXPECT_EQ(write("one\\n"), "written");
    EXPECT_EQ(write("two\\n"), "written");
    EXPECT_EQ(close(), "closed");
    h.pass(1s);
    EXPECT_EQ(h.entry("out"), "one\ntwo\n");
    EXPECT_EQ(h.entry("exit"), "0");
}

TEST_F(GuardInput, ItsEndEndsTheJobsReading) {
    h.launch({"takes=1s", "reads=5"}, "stdin");
    h.pass(3s);
    EXPECT_EQ(close(), "closed");
    h.pass(1s);
    EXPECT_EQ(h.entry("exit"), "0");
    EXPECT_THAT(h.truth()->in, IsEmpty());
    EXPECT_EQ(close(), "end code 0 0 0");
}

TEST_F(GuardInput, EndsOnceHoweverOftenItIsClosed) {
    h.launch({"takes=10s", "reads=5"}, "stdin");
    h.pass(1s);
    EXPECT_EQ(close(), "closed");
    EXPECT_EQ(close(), "closed");
    EXPECT_LT(h.world.now() - Time{}, 2s);
    EXPECT_EQ(write("a"), "written") << "a pipe that is open, though nobody waits for it";
}

TEST_F(GuardInput, EndsWithTheClaimer) {
    h.plan[8] = faults::steps::kill_guard(1s);
    h.guard({"launch", "j", "stdin", "-", "--", "sh", "-c", "cat; sleep 100"});
    h.pass(3s);
    ASSERT_EQ(h.living(), 1U);
    EXPECT_EQ(close(), "closed");
    h.launch({}, "stdin");
    h.pass(1s);
    EXPECT_EQ(h.begun(), 1U);
    h.pass(200s);
    EXPECT_EQ(h.living(), 0U) << "its cat never ended";
}

TEST_F(GuardInput, AJobWithoutStdinHasItsEndAtOnce) {
    h.launch({"takes=1s", "reads=5"});
    h.pass(500ms);
    EXPECT_EQ(write("a"), "end broken the job has no stdin");
    h.pass(1s);
    EXPECT_EQ(h.entry("exit"), "0");
}

TEST_F(GuardInput, WhatCannotBeWritten) {
    EXPECT_EQ(write("a"), "end absent");
    EXPECT_EQ(write(std::string(4097, 'a')), "end broken more than 4096 bytes");
    h.kill();
    h.pass(1s);
    EXPECT_EQ(close(), "end fenced");
}

}  // namespace
}  // namespace drydock::sim::test
