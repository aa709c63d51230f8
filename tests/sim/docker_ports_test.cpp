#include "docker_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace drydock::sim::test {
namespace {

using nlohmann::json;

class DockerPorts : public testing::Test {
protected:
    Response ask(Method method, std::string target, const json& body = {}) {
        Request request;
        request.method = method;
        request.target = std::move(target);
        if (!body.is_null()) {
            request.body = body.dump();
            request.content_type = "application/json";
        }
        return harness.ask(request);
    }
    /// A container that ends with 7 after a moment, or runs on.
    void create(const std::string& name, const json& ports, bool ends = false) {
        const json command = ends ? json{"sh", "-c", "exit 7"} : json{"sleep", "300"};
        const json body = {
            {"Image", "bb"}, {"Cmd", command}, {"HostConfig", {{"PortBindings", ports}}}};
        ASSERT_EQ(ask(Method::post, "/containers/create?name=" + name, body).status, 201);
    }
    Response start(const std::string& name) {
        return ask(Method::post, "/containers/" + name + "/start");
    }
    json inspect(const std::string& name) {
        return json::parse(ask(Method::get, "/containers/" + name + "/json").body);
    }
    json ports(const std::string& name) { return inspect(name)["NetworkSettings"]["Ports"]; }

    static json on(const std::string& host_port, const std::string& ip = "") {
        return {{"80/tcp", {{{"HostIp", ip}, {"HostPort", host_port}}}}};
    }

    ModelHarness harness;
};

TEST_F(DockerPorts, AreFreeAgainWhenTheirHolderHasEnded) {
    create("first", on("18080"), true);
    create("second", on("18080"));
    ASSERT_EQ(start("first").status, 204);
    EXPECT_EQ(start("second").status, 500);
    EXPECT_EQ(inspect("second")["State"]["ExitCode"], 128);
    harness.pass(std::chrono::seconds(1));

    EXPECT_EQ(ports("first"), json::object());
    EXPECT_EQ(start("second").status, 204);
    EXPECT_EQ(start("first").status, 500);
    const json state = inspect("first")["State"];
    EXPECT_EQ(state["Status"], "exited");
    EXPECT_EQ(state["ExitCode"], 7) << "the code of its run stays";
    EXPECT_NE(state["Error"].get<std::string>().find("port is already allocated"),
              std::string::npos);
}

TEST_F(DockerPorts, OfDifferentAddressesDoNotMeet) {
    create("first", on("18080", "127.0.0.1"));
    create("second", on("18080", "127.0.0.2"));
    create("third", on("18080"));
    EXPECT_EQ(start("first").status, 204);
    EXPECT_EQ(start("second").status, 204);
    EXPECT_EQ(start("third").status, 500);
}

TEST_F(DockerPorts, ChosenByTheEngineAreTheLowestFreeOnes) {
    create("first", on("", "127.0.0.1"));
    create("second", on("", "127.0.0.1"));
    ASSERT_EQ(start("first").status, 204);
    ASSERT_EQ(start("second").status, 204);
    EXPECT_EQ(ports("first")["80/tcp"][0]["HostPort"], "32768");
    EXPECT_EQ(ports("second")["80/tcp"][0]["HostPort"], "32769");
}

TEST_F(DockerPorts, OfARangeRunOut) {
    for (const char* name : {"first", "second", "third"}) {
        create(name, on("18090-18091"));
    }
    ASSERT_EQ(start("first").status, 204);
    ASSERT_EQ(start("second").status, 204);
    EXPECT_EQ(ports("second")["80/tcp"][0]["HostPort"], "18091");
    EXPECT_EQ(start("third").status, 500);
}

TEST_F(DockerPorts, AreNotBoundOutsideTheBridge) {
    const json body = {{"Image", "bb"},
                       {"Cmd", {"sleep", "300"}},
                       {"HostConfig", {{"NetworkMode", "none"}, {"PortBindings", on("18080")}}}};
    ASSERT_EQ(ask(Method::post, "/containers/create?name=apart", body).status, 201);
    create("bridged", on("18080"));
    EXPECT_EQ(start("apart").status, 204);
    EXPECT_EQ(start("bridged").status, 204);
    EXPECT_EQ(ports("apart"), json::object());
}

}  // namespace
}  // namespace drydock::sim::test
