#include "docker_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;

std::vector<EventKind> kinds_of(World& world) {
    std::vector<EventKind> kinds;
    for (const Event& event : world.trace().events()) {
        kinds.push_back(event.kind);
    }
    return kinds;
}

TEST(DockerEngine, ASandboxLivesItsLifeThroughTheAdapter) {
    Client client;
    const auto id = client.create("drydock-a-2", {"sleep", "300"});
    ASSERT_TRUE(id);
    EXPECT_EQ(client.state(*id), SandboxState::created);
    ASSERT_TRUE(client.start(*id));
    ASSERT_TRUE(client.start(*id));
    EXPECT_EQ(client.state(*id), SandboxState::running);
    const auto info = client.inspect("drydock-a-2");
    ASSERT_TRUE(info);
    EXPECT_EQ(info->id, *id);
    EXPECT_EQ(info->label("drydock.attempt"), "2");
    EXPECT_EQ(client.list()->size(), 1u);
    ASSERT_TRUE(client.remove(*id));
    EXPECT_EQ(client.state(*id), std::nullopt);
    EXPECT_EQ(client.remove(*id).error().kind(), ErrorKind::not_found);
    EXPECT_EQ(client.list()->size(), 0u);
    EXPECT_THAT(
        kinds_of(client.harness.world),
        testing::ElementsAre(EventKind::born, EventKind::state_changed, EventKind::removal_begun,
                             EventKind::state_changed, EventKind::gone));
}

TEST(DockerEngine, TheTruthIsToldFromLabels) {
    Client client;
    const auto id = client.create("n1");
    client.harness.pass(3s);
    ASSERT_TRUE(client.remove(*id));
    const auto truths = client.harness.model.sandboxes();
    ASSERT_EQ(truths.size(), 1u);
    EXPECT_EQ(truths[0].number, 1u);
    EXPECT_EQ(truths[0].id, *id);
    EXPECT_EQ(truths[0].name, "n1");
    EXPECT_EQ(truths[0].owner, "runner");
    EXPECT_EQ(truths[0].lease, "scan-1");
    EXPECT_EQ(truths[0].key, "k1");
    EXPECT_EQ(truths[0].attempt, 2u);
    EXPECT_EQ(truths[0].born, Time{});
    EXPECT_TRUE(truths[0].is_gone);
    EXPECT_EQ(truths[0].gone, Time{} + 3s + 20ms);
    EXPECT_EQ(client.harness.model.find(*id), &truths[0]);
    EXPECT_EQ(client.harness.model.find("n1"), nullptr);
    Request request;
    request.target = "/v1.41/containers/" + *id + "/json";
    EXPECT_EQ(client.harness.model.addressed_by(request), 1u);
    request.target = "/v1.41/containers/n1/json";
    EXPECT_EQ(client.harness.model.addressed_by(request), 0u);
}

TEST(DockerEngine, IdsComeFromNameAndAttemptAlone) {
    Client one;
    Client other;
    ASSERT_TRUE(other.create("unrelated"));
    const auto id = one.create("n1");
    EXPECT_EQ(*id, *other.create("n1"));
    ASSERT_TRUE(one.remove(*id));
    EXPECT_NE(*id, *one.create("n1"));
}

TEST(DockerEngine, ANameIsHeldUntilItsSandboxIsGone) {
    Client client;
    const auto id = client.create("n1");
    const auto conflict = client.create("n1");
    EXPECT_EQ(conflict.error().kind(), ErrorKind::conflict);
    EXPECT_THAT(std::string(conflict.error().message()), testing::HasSubstr(*id));

    Request removal;
    removal.method = Method::del;
    removal.target = "/containers/n1";
    const auto first = client.harness.send(removal);
    const auto second = client.harness.send(removal);
    EXPECT_EQ(first->replies, 0);
    EXPECT_EQ(first->applied_count, 1);
    EXPECT_EQ(second->response.status, 409);
    EXPECT_EQ(second->response.body,
              "{\"message\":\"removal of container n1 is already in progress\"}\n");
    EXPECT_EQ(client.state(*id), SandboxState::removing);
    EXPECT_EQ(client.start(*id).error().kind(), ErrorKind::conflict);
    EXPECT_EQ(client.create("n1").error().kind(), ErrorKind::conflict);
    client.harness.pass(20ms);
    EXPECT_EQ(first->response.status, 204);
    EXPECT_TRUE(client.create("n1"));
}

TEST(DockerEngine, ProgramsEndByThemselves) {
    Client client;
    const auto id = client.create("n1", {"sleep", "2"});
    ASSERT_TRUE(client.start(*id));
    client.harness.pass(1999ms);
    EXPECT_EQ(client.state(*id), SandboxState::running);
    client.harness.pass(1ms);
    EXPECT_EQ(client.state(*id), SandboxState::stopped);
    ASSERT_TRUE(client.start(*id));
    EXPECT_EQ(client.state(*id), SandboxState::running);
}

TEST(DockerEngine, AMissingProgramIsInvalidAndLeavesTheSandboxThere) {
    Client client;
    const auto id = client.create("n1", {"nosuchprogram"});
    const auto started = client.start(*id);
    EXPECT_EQ(started.error().kind(), ErrorKind::invalid);
    EXPECT_EQ(started.error().landed(), Landed::no);
    EXPECT_EQ(client.state(*id), SandboxState::created);
    EXPECT_EQ(client.last().applied_count, 0);
}

TEST(DockerEngine, AppliedIsSaidOfEffectsOnly) {
    Client client;
    const auto id = client.create("n1", {"sleep", "300"});
    EXPECT_EQ(client.last().applied_count, 1);
    (void)client.create("n1");
    EXPECT_EQ(client.last().applied_count, 0);
    (void)client.start(*id);
    EXPECT_EQ(client.last().applied_count, 1);
    (void)client.start(*id);
    EXPECT_EQ(client.last().applied_count, 0);
    (void)client.inspect(*id);
    EXPECT_EQ(client.last().applied_count, 0);
    (void)client.remove(*id);
    EXPECT_EQ(client.last().applied_count, 1);
    (void)client.remove(*id);
    EXPECT_EQ(client.last().applied_count, 0);
}

TEST(DockerEngine, RoutesAndVersions) {
    ModelHarness harness;
    const auto status_of = [&](Method method, std::string target) {
        Request request;
        request.method = method;
        request.target = std::move(target);
        return harness.ask(request).status;
    };
    EXPECT_EQ(status_of(Method::get, "/containers/json"), 200);
    EXPECT_EQ(status_of(Method::get, "/v1.12/containers/json"), 200);
    EXPECT_EQ(status_of(Method::get, "/v1.42/containers/json"), 400);
    EXPECT_EQ(status_of(Method::get, "/v1.11/containers/json"), 400);
    EXPECT_EQ(status_of(Method::put, "/v1.41/containers/create"), 404);
    EXPECT_EQ(status_of(Method::get, "/v1.41/containers/json/"), 404);
    EXPECT_EQ(status_of(Method::get, "/nonsense"), 404);
    EXPECT_EQ(status_of(Method::get, "/vabc/containers/json"), 404);
    EXPECT_EQ(status_of(Method::get, "/_ping"), 200);
    EXPECT_EQ(status_of(Method::get, "/containers/%zz%/json"), 404);
}

}  // namespace
}  // namespace drydock::sim::test
