#include "docker_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace drydock::sim::test {
namespace {

using nlohmann::json;

class DockerCreateBody : public testing::Test {
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
    Response create(const std::string& name, const json& host, json body = json::object()) {
        body["Image"] = "bb";
        body["Cmd"] = {"sleep", "300"};
        body["HostConfig"] = host;
        return ask(Method::post, "/containers/create?name=" + name, body);
    }
    std::string refusal(const json& host, json body = json::object()) {
        const Response response = create("refused", host, std::move(body));
        EXPECT_EQ(response.status / 100, response.status == 500 ? 5 : 4) << response.body;
        return json::parse(response.body).value("message", "");
    }
    json inspect(const std::string& name) {
        return json::parse(ask(Method::get, "/containers/" + name + "/json").body);
    }

    ModelHarness harness;
};

TEST_F(DockerCreateBody, ShowsWhatWasGivenInPlaceOfDefaults) {
    create("subject",
           {{"Memory", 67108864},
            {"NanoCpus", 500000000},
            {"Dns", json::array()},
            {"LogConfig", {{"Type", "none"}}}},
           {{"Hostname", "here"}, {"AttachStdin", true}, {"StdinOnce", true}});
    const json seen = inspect("subject");
    const json& host = seen.at("HostConfig");
    EXPECT_EQ(host.at("Memory"), 67108864);
    EXPECT_EQ(host.at("MemorySwap"), 134217728) << "twice the memory by default";
    EXPECT_EQ(host.at("NanoCpus"), 500000000);
    EXPECT_EQ(host.at("Dns"), json::array());
    EXPECT_EQ(host.at("LogConfig"), json::parse(R"({"Type":"none","Config":{}})"));
    EXPECT_EQ(host.at("ShmSize"), 67108864);
    EXPECT_EQ(seen.at("Config").at("Hostname"), "here");
    EXPECT_EQ(seen.at("Config").at("AttachStdin"), true);
    EXPECT_EQ(seen.at("Config").at("StdinOnce"), true);
}

TEST_F(DockerCreateBody, TakesEmptyValuesForDefaultsAsTheCommandLineSendsThem) {
    create("plain", json::object());
    create("subject",
           {{"IpcMode", ""},
            {"ShmSize", 0},
            {"LogConfig", {{"Type", ""}, {"Config", json::object()}}},
            {"MemorySwappiness", -1},
            {"Binds", nullptr},
            {"Mounts", json::array()}},
           {{"Volumes", json::object()}, {"Hostname", ""}});
    EXPECT_EQ(inspect("subject").at("HostConfig"), inspect("plain").at("HostConfig"));
    EXPECT_EQ(inspect("subject").at("Mounts"), json::array());
}

TEST_F(DockerCreateBody, OfAnotherTypeIsRefused) {
    EXPECT_EQ(refusal({{"Memory", "much"}}),
              "json: cannot unmarshal string into Go struct field HostConfig.Memory of type int64");
    EXPECT_EQ(create("refused", {{"Memory", "much"}}).status, 500);
}

TEST_F(DockerCreateBody, TakesOverMountsOfOthers) {
    create("data", {{"Binds", {"v1:/x"}}}, {{"Volumes", {{"/data", json::object()}}}});
    create("user", {{"VolumesFrom", {"data:ro"}}, {"Binds", {"v2:/x"}}});
    const json mounts = inspect("user").at("Mounts");
    ASSERT_EQ(mounts.size(), 2U);
    EXPECT_EQ(mounts[0].at("Name"), inspect("data").at("Mounts")[0].at("Name"));
    EXPECT_EQ(mounts[0].at("RW"), false);
    EXPECT_EQ(mounts[1].at("Name"), "v2") << "its own comes first";
}

TEST_F(DockerCreateBody, HasItsMountsInListsAndFilters) {
    create("subject", {{"Binds", {"v1:/x:ro"}}});
    const json listed =
        json::parse(ask(Method::get, R"(/containers/json?all=1&filters={"volume":["v1"]})").body);
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(listed[0].at("Mounts"), inspect("subject").at("Mounts"));
    EXPECT_EQ(listed[0].at("Mounts")[0].at("RW"), false);
    EXPECT_EQ(ask(Method::get, R"(/containers/json?all=1&filters={"volume":["v2"]})").body, "[]\n");
}

TEST_F(DockerCreateBody, BindsOfTheDaemonsOwnFolderDoNotSpread) {
    create("subject", {{"Binds", {"/var:/a", "/tmp:/b"}}});
    const json mounts = inspect("subject").at("Mounts");
    EXPECT_EQ(mounts[0].at("Propagation"), "rslave");
    EXPECT_EQ(mounts[1].at("Propagation"), "rprivate");
}

TEST_F(DockerCreateBody, WithATakenNameIsRefusedForThatBeforeItsMounts) {
    create("refused", json::object());
    EXPECT_EQ(create("refused", {{"Binds", {"a:b:c:d"}}}).status, 409);
    EXPECT_EQ(create("refused", {{"Mounts", {{{"Type", "nope"}, {"Target", "/x"}}}}}).status, 400)
        << "mounts are looked at with the other values, before the name";
}

TEST_F(DockerCreateBody, NamesWhatIsWrongWithAMount) {
    EXPECT_EQ(refusal({{"Binds", {"a:/x"}}}),
              "create a: volume name is too short, names should be at least two alphanumeric "
              "characters");
    EXPECT_EQ(refusal({{"Binds", {"/x:ro"}}}), "invalid volume specification: '/x:ro'");
    EXPECT_EQ(refusal({{"Binds", {"/tmp:/x:ro,rw"}}}), "invalid mode: ro,rw");
    EXPECT_EQ(refusal({{"Mounts", {{{"Type", "tmpfs"}, {"Source", "/a"}, {"Target", "/x"}}}}}),
              "invalid mount config for type \"tmpfs\": field Source must not be specified");
    EXPECT_EQ(refusal({{"Binds", {"v1:/x", "v2:/x/"}}}), "Duplicate mount point: /x");
}

TEST_F(DockerCreateBody, TakesThePlatformOfTheHost) {
    const json body = {{"Image", "bb"}, {"Cmd", {"true"}}};
    for (const char* platform : {"linux", "amd64", "linux/amd64", "Linux/x86_64"}) {
        const std::string target = std::string("/containers/create?platform=") + platform;
        EXPECT_EQ(ask(Method::post, target, body).status, 201) << platform;
    }
    EXPECT_EQ(ask(Method::post, "/containers/create?platform=arm64", body).status, 404);
    EXPECT_EQ(ask(Method::post, "/containers/create?platform=a/b/c/d", body).status, 400);
}

TEST_F(DockerCreateBody, KnowsCapabilitiesInAnyCase) {
    EXPECT_EQ(create("one", {{"CapAdd", {"net_admin", "CAP_CHOWN", "ALL"}}}).status, 201);
    EXPECT_EQ(refusal({{"CapDrop", {"x"}}}), "invalid CapDrop: unknown capability: \"CAP_X\"");
}

}  // namespace
}  // namespace drydock::sim::test
