// Where the model once differed from a live engine (tests/real), without an engine.
#include "docker_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace drydock::sim::test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

class DockerLive : public testing::Test {
protected:
    Response ask(Method method, std::string target, const std::string& body = {}) {
        Request request;
        request.method = method;
        request.target = std::move(target);
        request.body = body;
        request.content_type = body.empty() ? "" : "application/json";
        return harness.ask(request);
    }
    Response post(std::string target, const std::string& body = {}) {
        return ask(Method::post, std::move(target), body);
    }
    Response create(const std::string& name, const json& changes = json::object()) {
        json body = {
            {"Image", "bb"}, {"Cmd", {"sleep", "300"}}, {"HostConfig", {{"NetworkMode", "none"}}}};
        body.merge_patch(changes);
        return post("/containers/create?name=" + name, body.dump());
    }
    Response start(const std::string& name) { return post("/containers/" + name + "/start"); }
    json inspect(const std::string& name) {
        return json::parse(ask(Method::get, "/containers/" + name + "/json").body);
    }
    Response list(const std::string& query) {
        return ask(Method::get, "/containers/json?" + query);
    }
    static std::string told(const Response& response) {
        return std::to_string(response.status) + " " +
               json::parse(response.body).value("message", "");
    }
    static std::string id_of(const Response& response) {
        return json::parse(response.body).at("Id").get<std::string>();
    }

    ModelHarness harness;
};

TEST_F(DockerLive, NameFreedByRenameGivesAnotherId) {
    std::set<std::string> ids;
    for (const char* const freed : {"b1", "c1", "d1"}) {
        ids.insert(id_of(create("a1")));
        ASSERT_EQ(post("/containers/a1/rename?name=" + std::string(freed)).status, 204);
    }
    EXPECT_EQ(ids.size(), 3u);
    EXPECT_EQ(inspect("b1").at("Name"), "/b1");
}

TEST_F(DockerLive, StartLooksForItsNetworkFirst) {
    create("a1", {{"Cmd", {"nothing"}}, {"HostConfig", {{"NetworkMode", "mine"}}}});
    EXPECT_EQ(told(start("a1")), "404 network mine not found");
    const json seen = inspect("a1");
    EXPECT_EQ(seen.at("State").at("Status"), "created");
    EXPECT_EQ(seen.at("State").at("ExitCode"), 128);
    EXPECT_EQ(seen.at("State").at("Error"), "network mine not found");
    EXPECT_EQ(seen.at("HostsPath"), "") << "it has not come as far as its files";

    create("b1", {{"HostConfig", {{"NetworkMode", "container:nobody"}}}});
    EXPECT_EQ(told(start("b1")), "404 No such container: nobody");
    create("c1", {{"HostConfig", {{"NetworkMode", "container:c1"}}}});
    EXPECT_EQ(told(start("c1")), "500 cannot join own network");
    const std::string id = id_of(create("d1"));
    create("e1", {{"HostConfig", {{"NetworkMode", "container:d1"}}}});
    EXPECT_EQ(told(start("e1")), "409 cannot join network of a non running container: " + id);
    start("d1");
    EXPECT_EQ(start("e1").status, 204);
    EXPECT_EQ(inspect("e1").at("NetworkSettings").at("Networks"), json::object());
    EXPECT_EQ(told(create("f1", {{"HostConfig", {{"NetworkMode", "container:"}}}})),
              "400 Invalid network mode: invalid container format container:<name|id>");
}

TEST_F(DockerLive, WaitTellsOfAFailedStart) {
    create("a1", {{"Cmd", {"nothing"}}});
    start("a1");
    const json told = json::parse(post("/containers/a1/wait").body);
    EXPECT_EQ(told.at("Error").at("Message"), inspect("a1").at("State").at("Error"));
    EXPECT_EQ(told.at("StatusCode"), 127);
    const json seen = inspect("a1");
    EXPECT_NE(seen.at("HostsPath"), "") << "it had its files before the program was tried";
    EXPECT_NE(seen.at("NetworkSettings").at("SandboxID"), "");
    EXPECT_NE(seen.at("NetworkSettings").at("SandboxID"), seen.at("Id"));
}

TEST_F(DockerLive, RestartHasOneStatusForAllFailures) {
    create("a1", {{"Cmd", {"nothing"}}});
    create("b1", {{"HostConfig", {{"NetworkMode", "mine"}}}});
    EXPECT_TRUE(
        told(post("/containers/a1/restart")).starts_with("500 Cannot restart container a1: "));
    EXPECT_EQ(told(post("/containers/b1/restart")),
              "500 Cannot restart container b1: network mine not found");
    EXPECT_EQ(told(post("/containers/c1/restart")), "404 No such container: c1");
}

TEST_F(DockerLive, WaitForARemovalTellsOfNoFailedStart) {
    create("a1", {{"Cmd", {"nothing"}}, {"HostConfig", {{"AutoRemove", true}}}});
    Request request;
    request.method = Method::post;
    request.target = "/containers/a1/wait?condition=removed";
    const auto waiting = harness.send(request);
    start("a1");
    ASSERT_EQ(waiting->replies, 1);
    EXPECT_EQ(json::parse(waiting->response.body).at("Error"), nullptr);
}

TEST_F(DockerLive, ProgramsThatCannotBeRun) {
    create("a1", {{"Cmd", {"/tmp"}}});
    EXPECT_TRUE(told(start("a1")).ends_with("exec: \"/tmp\": permission denied: unknown"));
    EXPECT_EQ(inspect("a1").at("State").at("ExitCode"), 126);
    EXPECT_EQ(create("b1", {{"Image", ""}}).status, 201) << "without an image";
    EXPECT_EQ(inspect("b1").at("Image"), "");
    EXPECT_EQ(start("b1").status, 400) << "and so without any file";
}

TEST_F(DockerLive, DeathsBySignal) {
    create("a1", {{"Cmd", {"sh", "-c", "sh -c 'kill -9 $$'; exit $?"}}});
    create("b1", {{"Cmd", {"tail", "/dev/zero"}}});
    for (const char* const name : {"a1", "b1"}) {
        start(name);
        harness.pass(1s);
        EXPECT_EQ(inspect(name).at("State").at("ExitCode"), 137) << name;
    }
}

TEST_F(DockerLive, StoppingSignalsWakeAPausedOne) {
    const auto status = [&](const std::string& name) {
        return inspect(name).at("State").at("Status");
    };
    create("a1");
    create("b1", {{"StopSignal", "USR2"}});
    create("c1", {{"Cmd", {"sh", "-c", "trap 'exit 5' TERM; sleep 300"}}});
    for (const std::string name : {"a1", "b1", "c1"}) {
        start(name);
        post("/containers/" + name + "/pause");
    }
    post("/containers/a1/kill?signal=USR1");
    EXPECT_EQ(status("a1"), "running");
    post("/containers/b1/kill?signal=USR1");
    EXPECT_EQ(status("b1"), "paused") << "that is not its signal";
    post("/containers/b1/kill?signal=USR2");
    EXPECT_EQ(status("b1"), "running");
    EXPECT_EQ(post("/containers/c1/stop?t=5").status, 204);
    EXPECT_EQ(inspect("c1").at("State").at("ExitCode"), 5);
}

TEST_F(DockerLive, StopSignalMayBeAnyNumber) {
    EXPECT_EQ(told(create("a1", {{"StopSignal", "0"}})), "400 Invalid signal: 0");
    EXPECT_EQ(told(create("a1", {{"StopSignal", "NOPE"}})), "400 Invalid signal: NOPE");
    EXPECT_EQ(create("b1", {{"StopSignal", "-3"}}).status, 201);
    create("a1", {{"StopSignal", "99"}});
    start("a1");
    const Time before = harness.world.now();
    EXPECT_EQ(post("/containers/a1/stop?t=1").status, 204);
    EXPECT_EQ(harness.world.now() - before, 2s) << "the time that a signal gets which is none";
}

TEST_F(DockerLive, ListChecksInTheEnginesOrder) {
    EXPECT_EQ(told(list("limit=many&filters={\"x\":[\"y\"]}")),
              "500 strconv.Atoi: parsing \"many\": invalid syntax");
    EXPECT_EQ(told(list("limit=many&filters=nonsense")),
              "500 invalid character 'o' in literal null (expecting 'u')");
    EXPECT_EQ(told(list("filters=!")), "500 invalid character '!' looking for beginning of value");
    EXPECT_EQ(told(list("filters=[]")),
              "500 json: cannot unmarshal array into Go value of type map[string]map[string]bool");
    EXPECT_EQ(told(list("filters={\"x\":[1]}")),
              "500 json: cannot unmarshal array into Go value of type map[string]bool");
    EXPECT_EQ(told(list("filters={\"status\":[\"y\"],\"exited\":[\"x\"]}")),
              "500 strconv.Atoi: parsing \"x\": invalid syntax");
    EXPECT_EQ(told(list("filters={\"before\":[\"no\"],\"status\":[\"y\"]}")),
              "400 Invalid filter 'status=y'");
    EXPECT_EQ(told(list("filters={\"since\":[\"no\"]}")), "500 no such container no");
    EXPECT_EQ(told(list("filters={\"is-task\":[\"no\"]}")), "400 Invalid filter 'is-task=[no]'");
    EXPECT_EQ(list("limit=-1").status, 200);
}

TEST_F(DockerLive, BodiesThatAreNone) {
    EXPECT_EQ(told(post("/containers/create")), "500 EOF") << "no type is asked of no body";
    EXPECT_EQ(told(post("/containers/create", "[]")),
              "500 json: cannot unmarshal array into Go value of type "
              "runconfig.ContainerConfigWrapper");
    EXPECT_EQ(told(create("a1", {{"Cmd", 1}})),
              "500 json: cannot unmarshal number into Go struct field ContainerConfigWrapper.Cmd "
              "of type string");
    EXPECT_EQ(told(create("a1", {{"Entrypoint", {1}}})),
              "500 json: cannot unmarshal array into Go struct field "
              "ContainerConfigWrapper.Entrypoint of type string");
}

TEST_F(DockerLive, InspectKeepsWhatTheCommandNames) {
    create("a1", {{"HostConfig",
                   {{"RestartPolicy", {{"Name", "no"}}}, {"PortBindings", json::object()}}}});
    const json host = inspect("a1").at("HostConfig");
    EXPECT_EQ(host.at("RestartPolicy").at("Name"), "no");
    EXPECT_EQ(host.at("PortBindings"), json::object());
    create("b1");
    EXPECT_EQ(inspect("b1").at("HostConfig").at("RestartPolicy").at("Name"), "");
    EXPECT_EQ(inspect("b1").at("HostConfig").at("PortBindings"), nullptr);
}

TEST_F(DockerLive, AddressesStandInTheEnginesOrder) {
    create("a1", {{"HostConfig", {{"NetworkMode", "bridge"}}}});
    start("a1");
    const std::string body = ask(Method::get, "/containers/a1/json").body;
    const std::size_t networks = body.find(R"("Networks":)");
    const std::size_t outer = body.find(R"("Gateway":)");
    EXPECT_LT(body.find(R"("GlobalIPv6Address":)", outer), body.find(R"("IPAddress":)", outer));
    EXPECT_LT(body.find(R"("IPAddress":)", networks),
              body.find(R"("GlobalIPv6Address":)", networks));
}

TEST_F(DockerLive, WallClockStartsWhereItIsTold) {
    create("a1");
    EXPECT_EQ(inspect("a1").at("Created"), "2026-01-01T00:00:00Z");
    harness.model.engine().set_wall_start(WallTime(std::chrono::seconds(1'000'000'000)));
    EXPECT_EQ(inspect("a1").at("Created"), "2001-09-09T01:46:40Z");
    EXPECT_EQ(json::parse(list("all=1").body).at(0).at("Created"), 1'000'000'000);
}

TEST_F(DockerLive, PingWithoutABodyHasALength) {
    EXPECT_EQ(ask(Method::head, "/_ping").header("Content-Length"), "0");
    EXPECT_EQ(ask(Method::get, "/_ping").header("Content-Length"), "");
}

}  // namespace
}  // namespace drydock::sim::test
