#include "docker/requests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace drydock::docker {
namespace {

using nlohmann::json;

TEST(DockerRequests, CreateNamesAndDescribesTheSandbox) {
    const SandboxSpec spec{"bb", {"sh", "-c", "exit 7"}, {"A=1", "B=\"x\"\n"}, {{"team", "x"}}};
    const Request request = create_request("drydock-a.1", spec, {{"drydock.owner", "runner"}});

    EXPECT_EQ(request.method, Method::post);
    EXPECT_EQ(request.target, "/v1.41/containers/create?name=drydock-a.1");
    EXPECT_EQ(request.content_type, "application/json");
    EXPECT_EQ(json::parse(request.body),
              json::parse(R"({"Image": "bb", "Cmd": ["sh", "-c", "exit 7"],
                              "Env": ["A=1", "B=\"x\"\n"],
                              "Labels": {"team": "x", "drydock.owner": "runner"}})"));
}

TEST(DockerRequests, CreateLeavesOutWhatTheImageDecides) {
    const Request request = create_request("n1", SandboxSpec{"bb", {}, {}, {}}, {});
    EXPECT_EQ(request.body, R"({"Image":"bb","Labels":{}})");
}

TEST(DockerRequests, OurLabelsWinOverTheCallers) {
    const SandboxSpec spec{"bb", {}, {}, {{"drydock.owner", "someone"}, {"x", "y"}}};
    const Request request = create_request("n1", spec, {{"drydock.owner", "runner"}});
    EXPECT_EQ(request.body, R"({"Image":"bb","Labels":{"x":"y","drydock.owner":"runner"}})");
}

TEST(DockerRequests, NamesAndIdsCannotLeaveTheirPlaceInThePath) {
    EXPECT_EQ(inspect_request("a/../b?x=1#y %").target,
              "/v1.41/containers/a%2F..%2Fb%3Fx%3D1%23y%20%25/json");
    EXPECT_EQ(start_request("\xc3\xa9").target, "/v1.41/containers/%C3%A9/start");
    EXPECT_EQ(remove_request("abc").target, "/v1.41/containers/abc?force=1&v=1");
    EXPECT_EQ(remove_request("abc").method, Method::del);
    EXPECT_EQ(create_request("a&b=c", {}, {}).target, "/v1.41/containers/create?name=a%26b%3Dc");
}

TEST(DockerRequests, ListFiltersByEveryLabel) {
    const Request request = list_request({{"drydock.owner", "a\"b"}, {"k", "v&w"}});
    EXPECT_EQ(request.method, Method::get);
    EXPECT_EQ(request.target,
              "/v1.41/containers/json?all=1&filters=%7B%22label%22%3A%5B%22drydock.owner%3Da%5C%22b"
              "%22%2C%22k%3Dv%26w%22%5D%7D");
}

TEST(DockerRequests, EveryControlCharacterIsEscaped) {
    std::string all;
    for (int c = 1; c < 0x80; ++c) {
        all.push_back(static_cast<char>(c));
    }
    std::string written;
    append_json(written, all);
    EXPECT_EQ(json::parse(written).get<std::string>(), all);
}

}  // namespace
}  // namespace drydock::docker
