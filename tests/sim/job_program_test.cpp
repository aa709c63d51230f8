#include "engine/job_program.hpp"

#include "sim/guard_support.hpp"

#include <drydock/sim/job_output.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

TEST(JobProgram, ReadsItsWords) {
    std::string error;
    const JobProgram program =
        read_job_program({"drydock-job", "takes=1m30s", "out=4096", "err=10", "exit=3", "reads=5",
                          "children=1", "ignores_term", "launcher"},
                         error);
    EXPECT_EQ(error, "");
    EXPECT_EQ(program.takes, 90s);
    EXPECT_EQ(program.out, 4096U);
    EXPECT_EQ(program.err, 10U);
    EXPECT_EQ(program.exit_code, 3);
    EXPECT_EQ(program.reads, 5U);
    EXPECT_EQ(program.children, 1U);
    EXPECT_TRUE(program.ignores_term);
    EXPECT_TRUE(program.is_launcher);
    for (const char* word : {"takes=3", "out=-1", "out=", "exit=1x", "lauch", "children"}) {
        read_job_program({"drydock-job", word}, error);
        EXPECT_EQ(error, std::string("cannot understand ") + word);
    }
}

TEST(JobProgram, WritesEvenlyAndEndsInTime) {
    GuardHarness h;
    const auto job = h.run({"drydock-job", "takes=4s", "out=8", "err=4", "exit=3"});
    h.pass(1500ms);
    EXPECT_EQ(job->out, job_output(false, 2));
    h.pass(2s);
    EXPECT_EQ(job->out, job_output(false, 6));
    EXPECT_FALSE(job->has_ended);
    h.pass(1s);
    EXPECT_EQ(job->out, job_output(false, 8));
    EXPECT_EQ(job->err, job_output(true, 4));
    EXPECT_EQ(job->exit_code(), 3);
    const ProcessTruth& truth = h.engine.processes().back();
    EXPECT_EQ(truth.out, 8U);
    EXPECT_EQ(truth.err, 4U);
    EXPECT_EQ(truth.ended - truth.begun, 4s);
}

TEST(JobProgram, AWrongWordIsSaid) {
    GuardHarness h;
    const auto job = h.run({"drydock-job", "takes=4"});
    h.pass(1s);
    EXPECT_EQ(job->err, "drydock-job: cannot understand takes=4\n");
    EXPECT_EQ(job->exit_code(), 2);
}

TEST(JobProgram, ItsChildrenLiveAsLong) {
    GuardHarness h;
    h.run({"drydock-job", "takes=4s", "children=2"});
    h.pass(3s);
    EXPECT_EQ(h.engine.processes().size(), 3U);
    h.pass(2s);
    for (const ProcessTruth& truth : h.engine.processes()) {
        EXPECT_EQ(truth.ended - truth.begun, 4s) << truth.pid;
    }
}

TEST(JobProgram, EndsByTermUnlessToldNotTo) {
    GuardHarness h;
    const auto meek = h.run({"drydock-job", "takes=4s"});
    const auto stubborn = h.run({"drydock-job", "takes=4s", "ignores_term"});
    h.run({"kill", std::to_string(meek->exec->pid), std::to_string(stubborn->exec->pid)});
    h.pass(1s);
    EXPECT_EQ(meek->exit_code(), 128 + 15);
    h.pass(5s);
    EXPECT_EQ(stubborn->exit_code(), 0);
}

TEST(JobProgram, WhoKilledItIsKnown) {
    GuardHarness h;
    const auto job = h.run({"drydock-job", "takes=4s"});
    const auto other = h.run({"drydock-job", "takes=4s"});
    h.run({"kill", "-9", std::to_string(job->exec->pid)});
    h.pass(1s);
    EXPECT_EQ(h.engine.processes()[0].killed_by, 3U);
    EXPECT_EQ(h.engine.processes()[2].argv[0], "kill");
    h.engine.kill("c1", 9);
    EXPECT_TRUE(h.engine.processes()[1].has_ended);
    EXPECT_EQ(h.engine.processes()[1].killed_by, 0U);
}

TEST(JobProgram, AShellBecomesIt) {
    GuardHarness h;
    const auto job = h.run({"sh", "-c", "echo $$; exec drydock-job takes=4s out=4 exit=3"});
    h.pass(1500ms);
    EXPECT_EQ(job->out, std::to_string(job->exec->pid) + "\n" + job_output(false, 1));
    h.pass(3s);
    EXPECT_EQ(job->exit_code(), 3);
    EXPECT_EQ(h.engine.processes().size(), 1U);
}

TEST(JobProgram, TwoLaunchersLeaveTwoDaemons) {
    GuardHarness h;
    const auto first = h.run({"drydock-job", "takes=1s", "launcher", "exit=3"});
    h.pass(2s);
    const auto second = h.run({"drydock-job", "takes=1s", "launcher"});
    h.pass(1h);
    EXPECT_EQ(first->exit_code(), 0);
    EXPECT_EQ(second->exit_code(), 0);
    std::vector<std::string> daemons;
    std::uint32_t last = 0;
    for (const ProcessTruth& truth : h.engine.processes()) {
        if (truth.argv[0] == "drydock-daemon") {
            EXPECT_FALSE(truth.has_ended);
            daemons.push_back(truth.argv[1]);
            last = truth.pid;
        }
    }
    EXPECT_THAT(daemons, ElementsAre("port=32768", "port=32769"));
    EXPECT_EQ(h.files().find("/tmp/launcher.pid")->content, std::to_string(last) + "\n");
    h.engine.kill("c1", 9);
    for (const ProcessTruth& truth : h.engine.processes()) {
        EXPECT_TRUE(truth.has_ended);
    }
}

}  // namespace
}  // namespace drydock::sim::test
