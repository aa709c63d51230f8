// How a simulated container runs, stops, waits and restarts, where no recording says it.
#include "docker_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class EngineRun : public testing::Test {
protected:
    SandboxConfig running(std::vector<std::string> command) {
        SandboxConfig config;
        config.image = "bb";
        config.command = std::move(command);
        return config;
    }
    Outcome create(std::string name, SandboxConfig config) {
        Outcome made;
        engine.create(std::move(name), std::move(config),
                      [&](const Outcome& outcome) { made = outcome; });
        return made;
    }
    void start(SandboxConfig config) {
        ASSERT_TRUE(create("c1", std::move(config)).applied);
        ASSERT_EQ(engine.start("c1").verdict, Verdict::done);
    }
    void wait(WaitFor what) {
        engine.wait("c1", what, [this](const Outcome& outcome) {
            codes.push_back(outcome.sandbox->exit_code);
        });
    }
    const Sandbox& sandbox() { return *engine.resolve("c1"); }
    void pass(Duration duration) { world.run_until(world.now() + duration); }

    World world;
    SandboxEngine engine{world, docker_personality()};
    std::vector<int> codes;
    static constexpr auto nothing = [] {};
};

TEST_F(EngineRun, APausedProgramsTimeGoesOnAndItEndsWhenUnpaused) {
    start(running({"sleep", "5"}));
    engine.pause("c1");
    pass(1h);
    EXPECT_EQ(sandbox().status, Status::paused);
    engine.unpause("c1");
    EXPECT_EQ(sandbox().status, Status::exited);
}

TEST_F(EngineRun, ASignalToAPausedProgramUnpausesIt) {
    start(running({"sh", "-c", "trap 'exit 3' HUP; while :; do sleep 1; done"}));
    engine.pause("c1");
    engine.kill("c1", 1);
    pass(1h);
    EXPECT_EQ(sandbox().status, Status::exited);
    EXPECT_EQ(sandbox().exit_code, 3);
}

TEST_F(EngineRun, ASignalThatIsNotItsOwnIsHandledWhenAPausedProgramIsUnpaused) {
    SandboxConfig config = running({"sh", "-c", "trap 'exit 3' HUP; while :; do sleep 1; done"});
    config.stop_signal = 10;
    start(std::move(config));
    engine.pause("c1");
    engine.kill("c1", 1);
    pass(1h);
    EXPECT_EQ(sandbox().status, Status::paused);
    engine.unpause("c1");
    EXPECT_EQ(sandbox().status, Status::exited);
    EXPECT_EQ(sandbox().exit_code, 3);
}

TEST_F(EngineRun, AStopKillsAfterItsGraceAndAnswersThen) {
    start(running({"sleep", "300"}));
    Time answered{};
    engine.stop("c1", std::nullopt, nothing, [&](const Outcome&) { answered = world.now(); });
    pass(9s);
    EXPECT_EQ(sandbox().status, Status::running);
    pass(2s);
    EXPECT_EQ(sandbox().exit_code, 137);
    EXPECT_EQ(answered, Time{10s});
}

TEST_F(EngineRun, AStopWithoutEndOfItsGraceWaitsForTheProgram) {
    start(running({"sleep", "300"}));
    bool is_answered = false;
    engine.stop("c1", -1, nothing, [&](const Outcome&) { is_answered = true; });
    pass(299s);
    EXPECT_FALSE(is_answered);
    pass(1s);
    EXPECT_TRUE(is_answered);
    EXPECT_EQ(sandbox().exit_code, 0);
}

TEST_F(EngineRun, AFastHandlerEndsAStopBeforeItsGrace) {
    start(running({"sh", "-c", "trap 'exit 0' TERM; while :; do sleep 1; done"}));
    bool is_answered = false;
    engine.stop("c1", std::nullopt, nothing, [&](const Outcome&) { is_answered = true; });
    pass(1s);
    EXPECT_TRUE(is_answered);
    EXPECT_EQ(sandbox().exit_code, 0);
    engine.start("c1");
    pass(20s);
    EXPECT_EQ(sandbox().status, Status::running) << "no KILL is left over from the stop";
}

TEST_F(EngineRun, ARemovalEndsEveryWait) {
    start(running({"sleep", "300"}));
    wait(WaitFor::not_running);
    wait(WaitFor::next_exit);
    engine.remove("c1", true, nothing, [](const Outcome&) {});
    EXPECT_THAT(codes, ElementsAre(137, 137));
    wait(WaitFor::next_exit);
    wait(WaitFor::removed);
    pass(1s);
    EXPECT_THAT(codes, ElementsAre(137, 137, 137, 137));
}

// corpus/faults.md, section 3: both are synthetic zeros.
TEST_F(EngineRun, ANeverStartedOneGivesZeroToWhoWaits) {
    create("c1", running({"sleep", "300"}));
    wait(WaitFor::not_running);
    wait(WaitFor::next_exit);
    EXPECT_THAT(codes, ElementsAre(0));
    engine.remove("c1", false, nothing, [](const Outcome&) {});
    pass(1s);
    EXPECT_THAT(codes, ElementsAre(0, 0));
}

TEST_F(EngineRun, ARestartPolicysDelaysDoubleAndStartAgainAfterALongRun) {
    SandboxConfig config = running({"sh", "-c", "exit 1"});
    config.restart_policy = RestartPolicy::always;
    start(std::move(config));
    pass(50ms);
    EXPECT_EQ(sandbox().next_restart, 100ms);
    pass(150ms);
    EXPECT_EQ(sandbox().next_restart, 200ms);
    pass(1h);
    EXPECT_EQ(sandbox().next_restart, 1min);
    EXPECT_GT(sandbox().restarts, 60U);
}

TEST_F(EngineRun, APolicyGivesUpAfterItsRetries) {
    SandboxConfig config = running({"sh", "-c", "exit 1"});
    config.restart_policy = RestartPolicy::on_failure;
    config.maximum_retries = 3;
    start(std::move(config));
    pass(1h);
    EXPECT_EQ(sandbox().status, Status::exited);
    EXPECT_EQ(sandbox().restarts, 3U);
}

TEST_F(EngineRun, ARestartedDaemonRunsWhatItsPolicyKeepsAndEndsTheRest) {
    SandboxConfig kept = running({"sleep", "300"});
    kept.restart_policy = RestartPolicy::always;
    start(std::move(kept));
    create("c2", running({"sleep", "300"}));
    engine.start("c2");
    engine.pause("c2");
    bool struck = false;
    engine.begin_trait({faults::Trait::daemon_restart, {}, {}}, Call::list, {},
                       [&] { struck = true; });
    EXPECT_TRUE(struck);
    EXPECT_EQ(sandbox().status, Status::running);
    EXPECT_EQ(sandbox().restarts, 0U);
    EXPECT_EQ(engine.resolve("c2")->status, Status::exited);
    EXPECT_EQ(engine.resolve("c2")->exit_code, 137);
}

TEST_F(EngineRun, ARestartThatIsOvertakenByARemovalSaysSo) {
    start(running({"sleep", "300"}));
    std::vector<Verdict> verdicts;
    engine.restart("c1", 10, nothing,
                   [&](const Outcome& outcome) { verdicts.push_back(outcome.verdict); });
    engine.remove("c1", true, nothing, [](const Outcome&) {});
    EXPECT_THAT(verdicts, ElementsAre(Verdict::marked_for_removal));
}

TEST_F(EngineRun, ARestartKeepsAnAutoRemovedOneAndANameIsFreeAfterARename) {
    SandboxConfig config = running({"sleep", "300"});
    config.auto_remove = true;
    start(std::move(config));
    engine.restart("c1", 0, nothing, [](const Outcome&) {});
    EXPECT_EQ(sandbox().status, Status::running);
    EXPECT_EQ(sandbox().starts, 2U);
    EXPECT_TRUE(engine.rename("c1", "c2").applied);
    EXPECT_EQ(engine.resolve("c1"), nullptr);
    EXPECT_TRUE(create("c1", running({"true"})).applied);
    EXPECT_EQ(engine.rename("c1", "c2").verdict, Verdict::name_taken);
}

// corpus/faults.md, section 3: the name first, the container last.
TEST(MobyCurrent, ACreateHoldsItsNameBeforeItIsThere) {
    World world;
    SandboxEngine engine(world, moby_current_personality());
    Outcome made;
    engine.create("c1", {}, [&](const Outcome& outcome) { made = outcome; });
    EXPECT_FALSE(made.applied);
    EXPECT_EQ(engine.resolve("c1"), nullptr);
    EXPECT_TRUE(engine.list().empty());
    Outcome second;
    engine.create("c1", {}, [&](const Outcome& outcome) { second = outcome; });
    EXPECT_EQ(second.verdict, Verdict::name_taken);
    EXPECT_EQ(engine.resolve(second.id), nullptr) << "the holder is not there yet";
    world.run_until(Time{1s});
    ASSERT_TRUE(made.applied);
    EXPECT_EQ(made.id, second.id);
    EXPECT_NE(engine.resolve("c1"), nullptr);
}

}  // namespace
}  // namespace drydock::sim::test
