// Execs, beyond what the recordings show.
#include "inside_support.hpp"

#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

class DockerExec : public testing::Test, protected Inside {
protected:
    DockerExec() { run("box", {"sleep", "3000"}); }

    const ProcessTruth& process(std::size_t place) { return model.processes()[place]; }
};

TEST_F(DockerExec, OutputComesWhenItIsWritten) {
    const auto stream = attach_exec(exec("echo one; sleep 2; echo two >&2; sleep 1; exit 7"));
    EXPECT_EQ(stream->header->status, 101);
    pass(1s);
    EXPECT_EQ(frames(stream->response.body), "1:one\n");
    pass(1500ms);
    EXPECT_EQ(frames(stream->response.body), "1:one\n2:two\n");
    EXPECT_EQ(stream->replies, 0);
    pass(1s);
    EXPECT_EQ(stream->replies, 1) << "the stream ends with the program";
}

TEST_F(DockerExec, OnlyWhatWasAskedForIsHeard) {
    const auto stream = attach_exec(exec("echo out; echo err >&2", {{"AttachStdout", false}}));
    pass(1s);
    EXPECT_EQ(frames(stream->response.body), "2:err\n");
}

TEST_F(DockerExec, ClientThatLeavesKillsNothing) {
    const std::string id = exec("sleep 2; echo late; touch /tmp/done; exit 4");
    const auto stream = attach_exec(id);
    pass(1s);
    stream->leave();
    pass(500ms);
    EXPECT_EQ(seen_exec(id).at("Running"), true);
    EXPECT_EQ(seen_exec(id).at("ExitCode"), nullptr);
    pass(2s);
    EXPECT_EQ(seen_exec(id).at("ExitCode"), 4);
    EXPECT_EQ(stream->response.body, "");
    EXPECT_EQ(stream->replies, 0);
}

TEST_F(DockerExec, InputReachesTheProgramAndItsEndToo) {
    const std::string id = exec("cat; echo over", {{"AttachStdin", true}});
    const auto stream = attach_exec(id);
    stream->send("a");
    pass(1s);
    stream->send("b\n");
    pass(1s);
    EXPECT_EQ(frames(stream->response.body), "1:ab\n");
    EXPECT_EQ(seen_exec(id).at("Running"), true);
    stream->end_input();
    pass(1s);
    EXPECT_EQ(frames(stream->response.body), "1:ab\nover\n");
    EXPECT_EQ(seen_exec(id).at("ExitCode"), 0);
}

TEST_F(DockerExec, InputEndsWithAClientThatLeaves) {
    const std::string id = exec("cat; exit 3", {{"AttachStdin", true}});
    attach_exec(id)->leave();
    pass(1s);
    EXPECT_EQ(seen_exec(id).at("ExitCode"), 3);
}

TEST_F(DockerExec, NobodyWritesToOneWithoutInput) {
    const std::string id = exec("cat; exit 3");
    const auto stream = attach_exec(id);
    stream->send("lost");
    pass(1s);
    EXPECT_EQ(seen_exec(id).at("ExitCode"), 3);
    EXPECT_EQ(stream->response.body, "");
}

TEST_F(DockerExec, DiesWithItsContainer) {
    const std::string killed = exec("sleep 100; touch /tmp/done");
    const auto stream = attach_exec(killed);
    const std::string unused = exec("true");
    post("/containers/box/kill");
    EXPECT_EQ(stream->replies, 1);
    EXPECT_EQ(seen_exec(killed).at("ExitCode"), 137);
    EXPECT_EQ(seen_exec(killed).at("Running"), false);
    EXPECT_EQ(get("/exec/" + unused + "/json").status, 404) << "it never began";
    EXPECT_EQ(start_detached(killed).status, 409);
    start("box");
    pass(200s);
    EXPECT_FALSE(model.engine().files("box") == nullptr);
    EXPECT_EQ(ask(request(Method::head, "/containers/box/archive?path=/tmp/done")).status, 404)
        << "what it would have done later does not happen in the next run";
}

TEST_F(DockerExec, IdNeverComesAgain) {
    const std::string first = exec("true");
    post("/containers/box/restart?t=0");
    EXPECT_EQ(get("/exec/" + first + "/json").status, 404);
    EXPECT_NE(exec("true"), first);
}

TEST_F(DockerExec, StartCanBringTheEndOfMemory) {
    const faults::EngineChoice oom{faults::Trait::oom, {}, {}};
    const std::string id = exec("sleep 100");
    const auto stream = attach_exec(id, {nullptr, &oom});
    pass(5s);
    EXPECT_TRUE(stream->trait_struck);
    EXPECT_EQ(state("box").at("OOMKilled"), true);
    EXPECT_EQ(seen_exec(id).at("ExitCode"), 137);
    EXPECT_EQ(stream->replies, 1);
}

TEST_F(DockerExec, IsForgottenByADaemonThatStartsAgain) {
    const std::string id = exec("sleep 100");
    start_detached(id);
    model.engine().begin_trait({faults::Trait::daemon_restart, {}, {}}, sim::Call::list, {}, {});
    EXPECT_EQ(get("/exec/" + id + "/json").status, 404);
    EXPECT_EQ(process(0).exit_code, 137);
}

TEST_F(DockerExec, StandsStillWhileItsContainerIsPaused) {
    const std::string id = exec("sleep 1; echo late");
    const auto stream = attach_exec(id);
    post("/containers/box/pause");
    pass(10s);
    EXPECT_EQ(stream->response.body, "");
    EXPECT_EQ(start_detached(id).status, 409);
    EXPECT_EQ(seen_exec(id).at("Running"), true);
    post("/containers/box/unpause");
    pass(1s);
    EXPECT_EQ(frames(stream->response.body), "1:late\n");
    EXPECT_EQ(stream->replies, 1);
}

TEST_F(DockerExec, RunsOnce) {
    const std::string id = exec("sleep 1");
    EXPECT_EQ(start_detached(id).status, 200);
    const Response again = start_detached(id);
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(json::parse(again.body).at("message"),
              "Error: Exec command " + id + " is already running");
    const auto attached = attach_exec(id);
    EXPECT_EQ(attached->header->status, 101);
    EXPECT_EQ(frames(attached->response.body),
              "1:Error: Exec command " + id + " is already running\r\n");
    EXPECT_EQ(attached->applied_count, 0);
    EXPECT_EQ(model.processes().size(), 1u);
}

TEST_F(DockerExec, ChosenAnswerBeforeLeavesItUnstarted) {
    const faults::Fate before{.answer = {faults::Answer::Kind::before, 500}};
    const std::string id = exec("true");
    EXPECT_EQ(attach_exec(id, {&before, nullptr})->response.status, 500);
    EXPECT_EQ(model.processes().size(), 0u);
    const faults::Fate after{.answer = {faults::Answer::Kind::after, 500}};
    const auto heard = attach_exec(id, {&after, nullptr});
    EXPECT_EQ(heard->response.status, 500);
    EXPECT_FALSE(heard->header) << "there is no stream";
    EXPECT_EQ(heard->applied_count, 1);
    EXPECT_EQ(model.processes().size(), 1u);
}

TEST_F(DockerExec, AJobIsToldByItsIdWhereItsStarterSaysOne) {
    start_detached(exec("sleep 9 & sleep 1", {{"Env", {"DRYDOCK_JOB=x1f", "DRYDOCK_JOB_ID=a/b"}}}));
    start_detached(exec("true", {{"Env", {"DRYDOCK_JOB_ID=a/b"}}}));
    pass(3s);
    ASSERT_EQ(model.processes().size(), 3u);
    EXPECT_EQ(process(0).job, "a/b");
    EXPECT_TRUE(process(0).begins_job);
    EXPECT_EQ(process(1).job, process(2).job.empty() ? "a/b" : "");
    EXPECT_FALSE(process(1).begins_job);
    EXPECT_FALSE(process(2).begins_job);
}

TEST_F(DockerExec, TruthTellsWhichProcessBeganAJob) {
    start_detached(exec("sleep 9 & sleep 1; exit 5", {{"Env", {"DRYDOCK_JOB=j1"}}}));
    start_detached(exec("true"));
    pass(3s);
    ASSERT_EQ(model.processes().size(), 3u);
    EXPECT_EQ(process(0).job, "j1");
    EXPECT_TRUE(process(0).begins_job);
    EXPECT_EQ(process(0).parent, 0u);
    EXPECT_TRUE(process(0).has_ended);
    EXPECT_EQ(process(0).exit_code, 5);
    EXPECT_EQ(process(0).ended - process(0).begun, 1s);
    EXPECT_EQ(process(1).job, "");
    EXPECT_FALSE(process(1).begins_job);
    EXPECT_EQ(process(2).argv, (Words{"sleep", "9"}));
    EXPECT_EQ(process(2).job, "j1");
    EXPECT_FALSE(process(2).begins_job) << "its parent did";
    EXPECT_FALSE(process(2).has_ended) << "it outlives its parent";
}

TEST_F(DockerExec, ShowsWithItsContainerUntilItHasEnded) {
    const std::string id = exec("sleep 1");
    const auto shown = [&] { return json::parse(get("/containers/box/json").body).at("ExecIDs"); };
    EXPECT_EQ(shown(), json::array({id}));
    start_detached(id);
    EXPECT_EQ(shown(), json::array({id}));
    pass(2s);
    EXPECT_EQ(shown(), nullptr);
}

TEST_F(DockerExec, TerminalIsLeftByItsKeys) {
    const std::string id = exec("cat", {{"AttachStdin", true}, {"Tty", true}});
    const auto stream = attach_exec(id);
    stream->send("a\x10");
    stream->send("\x11");
    pass(1s);
    EXPECT_EQ(stream->replies, 1);
    EXPECT_EQ(seen_exec(id).at("Running"), true);
}

}  // namespace
}  // namespace drydock::sim::test
