// Logs and attach, beyond what the recordings show.
#include "inside_support.hpp"

#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

class DockerStreams : public testing::Test, protected Inside {
protected:
    std::string log(const std::string& query) {
        return frames(get("/containers/box/logs?" + query).body);
    }
    ResponderPtr follow(const std::string& query = {}) {
        return open(Method::get, "/containers/box/logs?stdout=1&stderr=1&follow=1" + query);
    }
    ResponderPtr attach(const std::string& query) {
        return open(Method::post, "/containers/box/attach?stream=1&" + query);
    }
};

TEST_F(DockerStreams, FollowTellsEachLineWhenItIsWhole) {
    run("box", {"sh", "-c", "printf a; sleep 1; echo b; sleep 1; printf c; sleep 1"});
    const auto stream = follow();
    pass(500ms);
    EXPECT_EQ(frames(stream->response.body), "");
    pass(1s);
    EXPECT_EQ(frames(stream->response.body), "1:ab\n");
    EXPECT_EQ(stream->replies, 0);
    pass(2s);
    EXPECT_EQ(frames(stream->response.body), "1:ab\nc");
    EXPECT_EQ(stream->replies, 1) << "ends with the container";
}

TEST_F(DockerStreams, FollowEndsWithAKill) {
    run("box", {"sh", "-c", "while true; do echo tick; sleep 1; done"});
    pass(500ms);
    const auto stream = follow("&tail=0");
    pass(2s);
    post("/containers/box/kill");
    EXPECT_EQ(frames(stream->response.body), "1:tick\ntick\n");
    EXPECT_EQ(stream->replies, 1);
    pass(5s);
    EXPECT_EQ(log("stdout=1"), "1:tick\ntick\ntick\n") << "nothing is written after the end";
}

TEST_F(DockerStreams, FollowerThatLeavesHearsNoMore) {
    run("box", {"sh", "-c", "while true; do echo tick; sleep 1; done"});
    const auto stays = follow();
    const auto leaves = follow();
    pass(1500ms);
    leaves->leave();
    pass(1s);
    EXPECT_EQ(frames(leaves->response.body), "1:tick\ntick\n");
    EXPECT_EQ(frames(stays->response.body), "1:tick\ntick\ntick\n");
}

TEST_F(DockerStreams, LogIsCutByTimeAndCount) {
    run("box", {"sh", "-c", "for i in 1 2 3 4; do echo line $i; sleep 1; done"});
    pass(10s);
    const auto begin = simulated_start.time_since_epoch() / 1s;
    EXPECT_EQ(log("stdout=1&since=" + std::to_string(begin + 2)), "1:line 3\nline 4\n");
    EXPECT_EQ(log("stdout=1&since=" + std::to_string(begin + 1) +
                  ".5&until=" + std::to_string(begin + 2)),
              "1:line 3\n");
    EXPECT_EQ(log("stdout=1&tail=1"), "1:line 4\n");
    EXPECT_EQ(log("stderr=1&tail=4"), "");
    EXPECT_EQ(log("stdout=1&tail=1&timestamps=1"), "1:2026-01-01T00:00:03.000000000Z line 4\n");
}

TEST_F(DockerStreams, LogIsGoneWithTheContainer) {
    run("box", {"echo", "once"});
    pass(1s);
    EXPECT_EQ(log("stdout=1"), "1:once\n");
    ask(request(Method::del, "/containers/box"));
    run("box", {"sleep", "9"});
    EXPECT_EQ(log("stdout=1"), "");
}

TEST_F(DockerStreams, AttachedHearOnlyWhatTheyAskedForFromThenOn) {
    run("box", {"sh", "-c", "echo early; sleep 1; echo out; echo err >&2; sleep 5"});
    pass(500ms);
    const auto out = attach("stdout=1");
    const auto err = attach("stderr=1");
    const auto with_log = attach("stdout=1&logs=1");
    pass(1s);
    EXPECT_EQ(frames(out->response.body), "1:out\n");
    EXPECT_EQ(frames(err->response.body), "2:err\n");
    EXPECT_EQ(frames(with_log->response.body), "1:early\nout\n");
    out->leave();
    pass(10s);
    EXPECT_EQ(out->replies, 0);
    EXPECT_EQ(err->replies, 1);
    EXPECT_EQ(state("box").at("ExitCode"), 0) << "leaving changes nothing";
}

TEST_F(DockerStreams, InputIsKeptForTheRunThatComes) {
    create("box", {"cat"}, {{"OpenStdin", true}, {"StdinOnce", true}});
    const auto stream = attach("stdin=1&stdout=1");
    stream->send("early\n");
    pass(1s);
    start("box");
    pass(1s);
    EXPECT_EQ(frames(stream->response.body), "1:early\n");
    EXPECT_EQ(state("box").at("Status"), "running");
    stream->end_input();
    pass(1s);
    EXPECT_EQ(state("box").at("Status"), "exited");
    EXPECT_EQ(state("box").at("ExitCode"), 0);
}

TEST_F(DockerStreams, InputStaysOpenUnlessItIsForOneClient) {
    run("box", {"cat"}, {{"OpenStdin", true}});
    attach("stdin=1&stdout=1")->end_input();
    pass(1s);
    EXPECT_EQ(state("box").at("Status"), "running");
}

TEST_F(DockerStreams, EndOfAContainerThatNeverRanEndsAttach) {
    create("box", {"cat"});
    const auto stream = attach("stdout=1");
    ask(request(Method::del, "/containers/box"));
    EXPECT_EQ(stream->replies, 1);
}

TEST_F(DockerStreams, OwnProgramIsKilledWhereverItStands) {
    run("box", {"sh", "-c", "trap 'exit 3' TERM; while true; do echo tick; sleep 1; done"});
    pass(1s);
    post("/containers/box/stop");
    EXPECT_EQ(state("box").at("ExitCode"), 3);
    const std::string told = log("stdout=1");
    pass(5s);
    EXPECT_EQ(log("stdout=1"), told);
}

}  // namespace
}  // namespace drydock::sim::test
