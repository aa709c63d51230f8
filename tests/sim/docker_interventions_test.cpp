#include "docker_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

TEST(DockerFates, BeforeIsNotApplied) {
    Client client;
    for (const int status : {400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504, 507}) {
        client.intervene(faults::fates::status_before(status));
        const auto created = client.create("n1");
        ASSERT_FALSE(created);
        EXPECT_EQ(created.error().status(), status);
        EXPECT_FALSE(created.error().message().empty());
        EXPECT_EQ(client.last().applied_count, 0);
    }
    EXPECT_TRUE(client.harness.model.sandboxes().empty());
}

TEST(DockerFates, AfterIsApplied) {
    Client client;
    client.intervene(faults::fates::status_after(500));
    EXPECT_EQ(client.create("n1").error().kind(), ErrorKind::unavailable);
    EXPECT_EQ(client.last().applied_count, 1);
    const auto info = client.inspect("n1");
    ASSERT_TRUE(info);
    client.intervene(faults::fates::status_after(500));
    EXPECT_FALSE(client.start(info->id));
    EXPECT_EQ(client.state(info->id), SandboxState::running);
    client.intervene(faults::fates::status_after(503));
    EXPECT_EQ(client.remove(info->id).error().status(), 503);
    EXPECT_EQ(client.state(info->id), std::nullopt);
}

TEST(DockerFates, PartialLeavesABrokenSandbox) {
    Client client;
    client.intervene(faults::fates::partial(500));
    EXPECT_EQ(client.create("n1").error().kind(), ErrorKind::unavailable);
    const auto info = client.inspect("n1");
    ASSERT_TRUE(info);
    EXPECT_EQ(info->state, SandboxState::failed);
    EXPECT_EQ(client.list()->at(0).state, SandboxState::failed);
    EXPECT_EQ(client.start(info->id).error().kind(), ErrorKind::conflict);
    EXPECT_EQ(client.create("n1").error().kind(), ErrorKind::conflict);
    ASSERT_TRUE(client.remove(info->id));
    EXPECT_TRUE(client.create("n1"));
}

class DockerTraits : public testing::Test {
protected:
    std::string created() { return *client_.create("n1", {"sleep", "300"}); }
    std::string running() {
        const std::string id = created();
        EXPECT_TRUE(client_.start(id));
        return id;
    }
    void stop_faults() { client_.harness.model.stop_faults(); }

    Client client_;
};

TEST_F(DockerTraits, ListLagShowsWhatWas) {
    const std::string old = created();
    client_.intervene(faults::Trait::list_lag);
    const auto fresh = client_.create("n2");
    const auto lagging = client_.transport.last;
    EXPECT_FALSE(lagging->trait_struck);
    EXPECT_EQ(client_.list()->size(), 1u);
    EXPECT_TRUE(lagging->trait_struck);
    ASSERT_TRUE(client_.remove(old));
    const auto shown = client_.list();
    ASSERT_EQ(shown->size(), 1u);
    EXPECT_EQ(shown->at(0).id, old);
    stop_faults();
    EXPECT_EQ(client_.list()->at(0).id, *fresh);
}

TEST_F(DockerTraits, ListLagEndsAfterItsTime) {
    client_.intervene(faults::Trait::list_lag, 5s);
    (void)client_.list();
    created();
    EXPECT_TRUE(client_.list()->empty());
    client_.harness.pass(5s);
    EXPECT_EQ(client_.list()->size(), 1u);
}

TEST_F(DockerTraits, ARemovalCanStick) {
    const std::string id = running();
    client_.limit = 1s;
    client_.intervene(faults::Trait::stuck, {}, "removing");
    EXPECT_EQ(client_.remove(id).error().kind(), ErrorKind::timeout);
    const auto stuck = client_.transport.last;
    EXPECT_TRUE(stuck->trait_struck);
    EXPECT_EQ(client_.remove(id).error().kind(), ErrorKind::conflict);
    client_.harness.pass(10min);
    EXPECT_EQ(client_.state(id), SandboxState::removing);
    stop_faults();
    EXPECT_EQ(client_.state(id), std::nullopt);
    EXPECT_EQ(stuck->replies, 1);
    EXPECT_EQ(stuck->response.status, 204);
}

TEST_F(DockerTraits, AStuckStateEndsAfterItsTime) {
    const std::string id = created();
    client_.intervene(faults::Trait::stuck, 10s, "starting");
    ASSERT_TRUE(client_.start(id));
    EXPECT_TRUE(client_.last().trait_struck);
    EXPECT_EQ(client_.state(id), SandboxState::changing);
    client_.harness.pass(9s);
    EXPECT_EQ(client_.state(id), SandboxState::changing);
    client_.harness.pass(1s);
    EXPECT_EQ(client_.state(id), SandboxState::running);
}

TEST_F(DockerTraits, ARemovalCanFailAndBeRepeated) {
    const std::string id = running();
    client_.intervene(faults::Trait::stuck, {}, "dead");
    const auto removed = client_.remove(id);
    EXPECT_EQ(removed.error().kind(), ErrorKind::unavailable);
    EXPECT_THAT(std::string(removed.error().message()),
                testing::HasSubstr("failed to remove root filesystem"));
    EXPECT_TRUE(client_.last().trait_struck);
    EXPECT_EQ(client_.state(id), SandboxState::failed);
    EXPECT_EQ(client_.list()->at(0).state, SandboxState::removing);
    EXPECT_FALSE(client_.harness.model.find(id)->removal_accepted);
    EXPECT_EQ(client_.start(id).error().message(),
              "container is marked for removal and cannot be started");
    EXPECT_EQ(client_.remove(id).error().status(), 500);
    stop_faults();
    EXPECT_TRUE(client_.remove(id));
    EXPECT_EQ(client_.state(id), std::nullopt);
}

TEST_F(DockerTraits, ANameCanStayHeldAfterRemoval) {
    const std::string id = created();
    client_.intervene(faults::Trait::name_held_after_remove, 5s);
    ASSERT_TRUE(client_.remove(id));
    const auto held = client_.transport.last;
    EXPECT_FALSE(held->trait_struck);
    EXPECT_EQ(client_.state(id), std::nullopt);
    EXPECT_THAT(std::string(client_.create("n1").error().message()), testing::HasSubstr(id));
    EXPECT_TRUE(held->trait_struck);
    client_.harness.pass(5s);
    EXPECT_TRUE(client_.create("n1"));
}

TEST_F(DockerTraits, AnAnswerCanBeWithoutEffect) {
    client_.intervene(faults::Trait::ack_without_effect);
    const auto phantom = client_.create("n1");
    ASSERT_TRUE(phantom);
    EXPECT_TRUE(client_.last().trait_struck);
    EXPECT_EQ(client_.last().applied_count, 0);
    EXPECT_EQ(client_.state(*phantom), std::nullopt);
    stop_faults();
    const std::string id = created();
    EXPECT_NE(id, *phantom);
    client_.intervene(faults::Trait::ack_without_effect, 5s);
    EXPECT_TRUE(client_.start(id));
    EXPECT_EQ(client_.state(id), SandboxState::created);
    client_.intervene(faults::Trait::ack_without_effect);
    EXPECT_TRUE(client_.remove(id));
    EXPECT_TRUE(client_.remove(id));
    EXPECT_EQ(client_.state(id), SandboxState::created);
    client_.harness.pass(5s);
    EXPECT_TRUE(client_.start(id));
    EXPECT_EQ(client_.state(id), SandboxState::running);
}

TEST_F(DockerTraits, ASandboxCanExitEarly) {
    client_.intervene(faults::Trait::exit_early);
    const std::string id = running();
    const auto created_with = client_.harness.model.sandboxes()[0];
    client_.harness.pass(10ms);
    EXPECT_EQ(client_.state(id), SandboxState::stopped);
    EXPECT_EQ(created_with.number, 1u);
    stop_faults();
    ASSERT_TRUE(client_.start(id));
    client_.harness.pass(1min);
    EXPECT_EQ(client_.state(id), SandboxState::running);
}

TEST_F(DockerTraits, ASandboxCanBeKilledForItsMemory) {
    const std::string id = running();
    client_.intervene(faults::Trait::oom);
    (void)client_.inspect(id);
    const auto inspected = client_.transport.last;
    EXPECT_FALSE(inspected->trait_struck);
    client_.harness.pass(1s);
    EXPECT_TRUE(inspected->trait_struck);
    const Sandbox* sandbox = client_.harness.model.engine().resolve(id);
    EXPECT_EQ(sandbox->status, Status::exited);
    EXPECT_EQ(sandbox->exit_code, 137);
    EXPECT_TRUE(sandbox->oom_killed);
}

TEST_F(DockerTraits, ASandboxCanRestartByItselfOnce) {
    const std::string id = running();
    client_.intervene(faults::Trait::restart);
    (void)client_.inspect(id);
    const auto inspected = client_.transport.last;
    client_.harness.pass(1s);
    EXPECT_TRUE(inspected->trait_struck);
    EXPECT_EQ(client_.state(id), SandboxState::changing);
    client_.harness.pass(1min);
    EXPECT_EQ(client_.state(id), SandboxState::running);
    EXPECT_EQ(client_.harness.model.engine().resolve(id)->starts, 2U);
}

TEST_F(DockerTraits, TheDaemonCanRestart) {
    client_.intervene(faults::Trait::daemon_restart);
    (void)client_.list();
    EXPECT_FALSE(client_.last().trait_struck);
    const std::string id = running();
    client_.intervene(faults::Trait::daemon_restart);
    EXPECT_EQ(client_.state(id), SandboxState::stopped);
    EXPECT_TRUE(client_.last().trait_struck);
}

TEST_F(DockerTraits, TheServerCanRemoveOnItsOwn) {
    client_.intervene(faults::Trait::ttl_expiry, 30s);
    const std::string id = created();
    const auto born_with = client_.transport.last;
    client_.harness.pass(29s);
    EXPECT_EQ(client_.state(id), SandboxState::created);
    client_.harness.pass(2s);
    EXPECT_EQ(client_.state(id), std::nullopt);
    EXPECT_TRUE(born_with->trait_struck);
    EXPECT_TRUE(client_.harness.model.find(id)->removal_accepted);
}

TEST_F(DockerTraits, ATraitThatMakesNoSenseNeverTakesEffect) {
    const std::string id = created();
    for (const auto trait : {faults::Trait::exit_early, faults::Trait::oom, faults::Trait::restart,
                             faults::Trait::stuck, faults::Trait::name_held_after_remove}) {
        client_.intervene(trait, {}, "creating");
        (void)client_.inspect(id);
        const auto responder = client_.transport.last;
        client_.harness.pass(1min);
        EXPECT_FALSE(responder->trait_struck);
    }
    client_.intervene(faults::Trait::ttl_expiry);
    (void)client_.list();
    EXPECT_FALSE(client_.last().trait_struck);
}

}  // namespace
}  // namespace drydock::sim::test
