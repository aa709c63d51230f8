// Events, stats, top and the rest beyond the recordings.
#include "docker_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace drydock::sim::test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;
using testing::ElementsAre;

class DockerEvents : public testing::Test {
protected:
    static Request request_of(Method method, std::string target, std::string body = {}) {
        Request request;
        request.method = method;
        request.target = std::move(target);
        request.content_type = body.empty() ? "" : "application/json";
        request.body = std::move(body);
        return request;
    }
    Response ask(Method method, std::string target, std::string body = {}) {
        return harness.ask(request_of(method, std::move(target), std::move(body)));
    }
    void run(const std::string& name, const std::string& more = "") {
        ASSERT_EQ(ask(Method::post, "/containers/create?name=" + name,
                      R"({"Image":"bb","Cmd":["sleep","300"])" + more + "}")
                      .status,
                  201);
        ASSERT_EQ(ask(Method::post, "/containers/" + name + "/start").status, 204);
    }
    std::shared_ptr<RecordingResponder> follow(const std::string& query = "") {
        return harness.send(request_of(Method::get, "/events" + query));
    }
    /// "type action" of each line.
    static std::vector<std::string> told(const std::string& lines) {
        std::vector<std::string> all;
        std::istringstream text(lines);
        for (std::string line; std::getline(text, line);) {
            const json event = json::parse(line);
            all.push_back(event.at("Type").get<std::string>() + " " +
                          event.at("Action").get<std::string>());
        }
        return all;
    }

    ModelHarness harness;
};

TEST_F(DockerEvents, NetworkComesBeforeTheStartAndGoesAfterTheEnd) {
    const auto client = follow();
    ASSERT_TRUE(client->header) << "before anything happens";
    run("a1");
    ask(Method::post, "/containers/a1/stop?t=3");
    EXPECT_THAT(
        told(client->response.body),
        ElementsAre("container create", "network connect", "container start", "container kill",
                    "container kill", "container die", "network disconnect", "container stop"));
}

TEST_F(DockerEvents, NobodyHearsMoreOnceItHasLeft) {
    const auto client = follow();
    run("a1");
    const std::string before = client->response.body;
    client->leave();
    ask(Method::del, "/containers/a1?force=1");
    EXPECT_EQ(client->response.body, before);
}

TEST_F(DockerEvents, EndAtTheirTime) {
    const auto start = simulated_start.time_since_epoch() / 1s;
    run("a1");
    const auto client = follow("?until=" + std::to_string(start + 5));
    EXPECT_EQ(told(client->response.body).size(), 3u) << "what was before counts too";
    harness.pass(4s);
    EXPECT_EQ(client->replies, 0);
    harness.pass(1s);
    EXPECT_EQ(client->replies, 1);
    EXPECT_EQ(ask(Method::get, "/events?since=9&until=8").status, 400);
}

TEST_F(DockerEvents, KeptAreTheLastOnes) {
    run("a1");
    for (int i = 0; i < 150; ++i) {
        ask(Method::post, "/containers/a1/pause");
        ask(Method::post, "/containers/a1/unpause");
    }
    const auto all = told(ask(Method::get, "/events?until=1767225600").body);
    EXPECT_EQ(all.size(), 256u);
    EXPECT_EQ(all.front(), "container pause");
    EXPECT_EQ(all.back(), "container unpause");
}

TEST_F(DockerEvents, NameIsTheOneOfThen) {
    const auto client = follow("?filters=%7B%22event%22:%5B%22rename%22,%22pause%22%5D%7D");
    run("a1");
    ask(Method::post, "/containers/a1/pause");
    ask(Method::post, "/containers/a1/rename?name=b1");
    std::istringstream text(client->response.body);
    std::string line;
    std::getline(text, line);
    EXPECT_EQ(json::parse(line).at("Actor").at("Attributes").at("name"), "a1");
    std::getline(text, line);
    const json attributes = json::parse(line).at("Actor").at("Attributes");
    EXPECT_EQ(attributes.at("name"), "b1");
    EXPECT_EQ(attributes.at("oldName"), "/a1");
}

TEST_F(DockerEvents, ArchiveCallsAreTold) {
    run("a1");
    const auto client = follow();
    ask(Method::put, "/containers/a1/archive?path=/tmp");
    ask(Method::head, "/containers/a1/archive?path=/tmp");
    ask(Method::get, "/containers/a1/archive?path=/tmp");
    EXPECT_THAT(told(client->response.body),
                ElementsAre("container extract-to-dir", "container archive-path"));
}

TEST_F(DockerEvents, StatsComeEverySecondUntilTheContainerIsGone) {
    run("a1");
    const auto client = harness.send(request_of(Method::get, "/containers/a1/stats"));
    harness.pass(3500ms);
    const auto lines = std::count(client->response.body.begin(), client->response.body.end(), '\n');
    EXPECT_EQ(lines, 3);
    ask(Method::del, "/containers/a1?force=1");
    harness.pass(2s);
    EXPECT_EQ(client->replies, 1);
}

TEST_F(DockerEvents, TopShowsTheProgram) {
    run("a1");
    const json top = json::parse(ask(Method::get, "/containers/a1/top?ps_args=-o%20pid,args").body);
    ASSERT_EQ(top.at("Processes").size(), 1u);
    EXPECT_EQ(top.at("Processes")[0][1], "sleep 300");
    const json inspect = json::parse(ask(Method::get, "/containers/a1/json").body);
    EXPECT_EQ(top.at("Processes")[0][0], std::to_string(inspect.at("State").at("Pid").get<int>()));
}

TEST_F(DockerEvents, UpdateIsSeenByAnInspect) {
    run("a1", R"(,"HostConfig":{"CpuShares":7})");
    const Response response =
        ask(Method::post, "/containers/a1/update", R"({"Memory":67108864,"PidsLimit":9})");
    EXPECT_EQ(response.body, "{\"Warnings\":null}\n");
    const json host = json::parse(ask(Method::get, "/containers/a1/json").body).at("HostConfig");
    EXPECT_EQ(host.at("Memory"), 67108864);
    EXPECT_EQ(host.at("PidsLimit"), 9);
    EXPECT_EQ(host.at("CpuShares"), 7);
}

TEST_F(DockerEvents, UserNetworkCanBeNamedWhileItIsThere) {
    ASSERT_EQ(ask(Method::post, "/networks/create", R"({"Name":"net1"})").status, 201);
    EXPECT_EQ(ask(Method::post, "/networks/create", R"({"Name":"net1"})").status, 409);
    EXPECT_EQ(json::parse(ask(Method::get, "/networks/net1").body).at("Name"), "net1");
    EXPECT_EQ(json::parse(ask(Method::get, "/networks").body).size(), 4u);
    EXPECT_EQ(ask(Method::get, "/networks/nosuch").status, 404);
    run("a1", R"(,"HostConfig":{"NetworkMode":"net1"})");
    EXPECT_EQ(ask(Method::del, "/networks/net1").status, 403);
    ask(Method::del, "/containers/a1?force=1");
    EXPECT_EQ(ask(Method::del, "/networks/net1").status, 204);
    EXPECT_EQ(ask(Method::del, "/networks/net1").status, 404);
    EXPECT_EQ(ask(Method::del, "/networks/bridge").status, 403);
}

TEST_F(DockerEvents, TagsMayBeGivenInFull) {
    harness.model.add_image("bb");
    ASSERT_EQ(ask(Method::post, "/images/bb/tag?repo=host.example/library/other&tag=latest").status,
              201);
    EXPECT_EQ(ask(Method::get, "/images/other/json").status, 200);
    EXPECT_EQ(ask(Method::del, "/images/other").body, "[{\"Untagged\":\"other:latest\"}]\n");
    EXPECT_EQ(ask(Method::get, "/images/other/json").status, 404);
}

TEST_F(DockerEvents, NamedVolumesAreMadeWithTheirContainer) {
    const auto client = follow("?filters=%7B%22type%22:%5B%22volume%22%5D%7D");
    run("a1", R"(,"HostConfig":{"Binds":["data1:/data"]})");
    EXPECT_THAT(told(client->response.body), ElementsAre("volume create"));
    EXPECT_EQ(ask(Method::get, "/volumes/data1").status, 200);
    EXPECT_EQ(ask(Method::del, "/volumes/data1").status, 409);
}

}  // namespace
}  // namespace drydock::sim::test
