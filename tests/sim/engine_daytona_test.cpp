#include "docker_support.hpp"

#include <drydock/sim/backends.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

class DaytonaEngine : public testing::Test {
protected:
    void expect_busy(const Result<void>& result) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().kind(), ErrorKind::conflict);
        EXPECT_EQ(result.error().message(), "Sandbox state change in progress");
    }
    std::string running(std::string_view name) {
        const auto id = client_.create(name);
        client_.harness.pass(800ms);
        EXPECT_TRUE(client_.start(*id));
        client_.harness.pass(1s);
        return *id;
    }

    Client client_{daytona_personality()};
};

TEST_F(DaytonaEngine, StatesChangeInTheirOwnTime) {
    const auto id = client_.create("n1");
    ASSERT_TRUE(id);
    EXPECT_EQ(client_.state(*id), SandboxState::changing);
    expect_busy(client_.start(*id));
    expect_busy(client_.remove(*id));
    client_.harness.pass(800ms);
    EXPECT_EQ(client_.state(*id), SandboxState::created);
    ASSERT_TRUE(client_.start(*id));
    EXPECT_EQ(client_.state(*id), SandboxState::changing);
    expect_busy(client_.start(*id));
    expect_busy(client_.remove(*id));
    client_.harness.pass(1s);
    EXPECT_EQ(client_.state(*id), SandboxState::running);
    EXPECT_TRUE(client_.start(*id));
}

TEST_F(DaytonaEngine, ARemovalIsOnlyAccepted) {
    const std::string id = running("n1");
    const Time before = client_.harness.world.now();
    ASSERT_TRUE(client_.remove(id));
    EXPECT_EQ(client_.harness.world.now(), before);
    EXPECT_TRUE(client_.harness.model.find(id)->removal_accepted);
    EXPECT_EQ(client_.state(id), SandboxState::removing);
    expect_busy(client_.remove(id));
    expect_busy(client_.start(id));
    client_.harness.pass(1999ms);
    EXPECT_EQ(client_.state(id), SandboxState::removing);
    client_.harness.pass(1ms);
    EXPECT_EQ(client_.state(id), std::nullopt);
    EXPECT_EQ(client_.remove(id).error().kind(), ErrorKind::not_found);
}

TEST_F(DaytonaEngine, TheNameIsFreeWhileTheOldOneStillRuns) {
    const std::string old = running("n1");
    EXPECT_EQ(client_.create("n1").error().kind(), ErrorKind::conflict);
    ASSERT_TRUE(client_.remove(old));
    EXPECT_EQ(client_.inspect("n1").error().kind(), ErrorKind::not_found);
    EXPECT_THAT(client_.inspect(old)->name, testing::StartsWith("DESTROYED_n1_17672256"));
    const auto next = client_.create("n1");
    ASSERT_TRUE(next);
    EXPECT_NE(*next, old);
    EXPECT_EQ(client_.inspect("n1")->id, *next);
    EXPECT_FALSE(client_.harness.model.find(old)->is_gone);
    EXPECT_EQ(client_.harness.model.find(old)->name, "n1");
}

TEST_F(DaytonaEngine, ListsLagBehind) {
    const auto id = client_.create("n1");
    EXPECT_TRUE(client_.list()->empty());
    client_.harness.pass(1s);
    EXPECT_EQ(client_.list()->size(), 1u);
    ASSERT_TRUE(client_.remove(*id));
    client_.harness.pass(2s);
    EXPECT_EQ(client_.state(*id), std::nullopt);
    EXPECT_EQ(client_.list()->size(), 1u);
    client_.harness.pass(1s);
    EXPECT_TRUE(client_.list()->empty());
}

TEST_F(DaytonaEngine, AFailedCreateLeavesARow) {
    client_.intervene(faults::fates::partial(500));
    EXPECT_EQ(client_.create("n1").error().kind(), ErrorKind::unavailable);
    EXPECT_EQ(client_.last().applied_count, 1);
    const auto info = client_.inspect("n1");
    ASSERT_TRUE(info);
    EXPECT_EQ(info->state, SandboxState::failed);
    EXPECT_EQ(info->label("drydock.lease"), "scan-1");
    EXPECT_FALSE(info->detail.empty());
    EXPECT_EQ(client_.create("n1").error().kind(), ErrorKind::conflict);
    EXPECT_FALSE(client_.start(info->id));
    ASSERT_TRUE(client_.remove(info->id));
    client_.harness.pass(2s);
    EXPECT_EQ(client_.state(info->id), std::nullopt);
}

TEST(BackendRegistry, KnowsTheBuiltinKindsAndTakesOthers) {
    BackendRegistry registry;
    register_builtin_backends(registry);
    ASSERT_EQ(registry.kinds().size(), 3u);
    EXPECT_EQ(registry.kinds()[0].name, "docker");
    EXPECT_EQ(registry.kinds()[1].name, "daytona");
    EXPECT_EQ(registry.kinds()[2].name, "moby-current");
    EXPECT_TRUE(registry.find("docker")->capabilities.removal_confirmed);
    EXPECT_FALSE(registry.find("daytona")->capabilities.removal_confirmed);
    EXPECT_EQ(registry.find("other"), nullptr);
    World world;
    EXPECT_NE(registry.find("daytona")->make_model(world), nullptr);
    registry.add({"other", "a user's", {}, nullptr});
    EXPECT_NE(registry.find("other"), nullptr);
    EXPECT_THROW(registry.add({"docker", "", {}, nullptr}), std::invalid_argument);
}

}  // namespace
}  // namespace drydock::sim::test
