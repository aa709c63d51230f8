#include "docker_support.hpp"

#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace drydock::sim::test {
namespace {

using nlohmann::json;

rc::Gen<std::string> word() {
    return rc::gen::element<std::string>(
        "", "bb", "sleep", "/", "/x", "/etc/passwd", "a:b:c", "/tmp:/x:ro", "v1:/x", "v:/y:z,z",
        "none", "host", "always", "on-failure", "80/tcp", "81", "70000", "1-3", "3-1", "NET_ADMIN",
        "ALL", "NOPE", "SIGTERM", "CMD", "CMD-SHELL", "NONE", "bind", "volume", "tmpfs", "=", "A=1",
        "\xc3\xa9", "\x01\"<\\", "runc", "earlier", "earlier:ro");
}

/// The keys that the model reads, so that values of every shape meet them.
rc::Gen<std::string> key() {
    return rc::gen::oneOf(
        rc::gen::element<std::string>("Image", "Cmd", "Entrypoint", "Env", "Labels", "WorkingDir",
                                      "User", "Tty", "OpenStdin", "StopTimeout", "StopSignal",
                                      "ExposedPorts", "Healthcheck", "Volumes", "Hostname",
                                      "HostConfig", "NetworkingConfig"),
        rc::gen::element<std::string>(
            "Binds", "Mounts", "VolumesFrom", "PortBindings", "PublishAllPorts", "NetworkMode",
            "AutoRemove", "RestartPolicy", "Memory", "MemorySwap", "MemorySwappiness", "NanoCpus",
            "CapAdd", "CapDrop", "Runtime", "LogConfig", "Dns", "Tmpfs", "EndpointsConfig"),
        rc::gen::element<std::string>("Type", "Source", "Target", "ReadOnly", "BindOptions",
                                      "Propagation", "Name", "MaximumRetryCount", "HostIp",
                                      "HostPort", "Test", "Interval", "Timeout", "Retries",
                                      "StartPeriod", "80/tcp", "x", "a1", "b1"));
}

rc::Gen<json> value(int depth) {
    const auto number = rc::gen::map(
        rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(-2, 99)),
        [](std::int64_t n) { return json(n); });
    const auto leaf = rc::gen::oneOf(
        rc::gen::just(json(nullptr)), rc::gen::map(word(), [](const auto& w) { return json(w); }),
        number, rc::gen::map(rc::gen::arbitrary<bool>(), [](bool b) { return json(b); }),
        rc::gen::just(json(0.5)), rc::gen::just(json(18446744073709551615ULL)));
    if (depth == 0) {
        return leaf;
    }
    const auto inner = value(depth - 1);
    const auto size = rc::gen::inRange<std::size_t>(0, 4);
    return rc::gen::oneOf(
        leaf,
        rc::gen::mapcat(size,
                        [inner](std::size_t n) {
                            return rc::gen::map(
                                rc::gen::container<std::vector<json>>(n, inner),
                                [](const std::vector<json>& all) { return json(all); });
                        }),
        rc::gen::mapcat(size, [inner](std::size_t n) {
            return rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, json>>>(
                                    n, rc::gen::pair(key(), inner)),
                                [](const std::vector<std::pair<std::string, json>>& all) {
                                    json object = json::object();
                                    for (const auto& [name, one] : all) {
                                        object[name] = one;
                                    }
                                    return object;
                                });
        }));
}

/// A body that is good, but for some keys at its top and in its HostConfig.
rc::Gen<json> nearly_good_body() {
    const auto change = rc::gen::tuple(rc::gen::arbitrary<bool>(), key(), value(2));
    const auto changes = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 5), [=](std::size_t n) {
        return rc::gen::container<std::vector<std::tuple<bool, std::string, json>>>(n, change);
    });
    return rc::gen::map(changes, [](const std::vector<std::tuple<bool, std::string, json>>& all) {
        json body = {{"Image", "bb"}, {"Cmd", {"sleep", "300"}}, {"HostConfig", json::object()}};
        for (const auto& [is_host, name, one] : all) {
            json& place = is_host && body["HostConfig"].is_object() ? body["HostConfig"] : body;
            place[name] = one;
        }
        return body;
    });
}

Request request(Method method, std::string target, std::string body = {}) {
    Request request;
    request.method = method;
    request.target = std::move(target);
    request.body = std::move(body);
    request.content_type = request.body.empty() ? "" : "application/json";
    return request;
}

/// What a create may answer; and what it made can be seen, started, seen again and listed.
void check_create(const std::string& body) {
    static const std::set<int> statuses = {201, 400, 404, 409, 500};
    ModelHarness harness;
    harness.model.add_image("bb");
    const std::string earlier = R"({"Image":"bb","Cmd":["sleep","300"],"Volumes":{"/data":{}}})";
    harness.ask(request(Method::post, "/containers/create?name=earlier", earlier));

    const Response created =
        harness.ask(request(Method::post, "/containers/create?name=subject", body));
    RC_ASSERT(statuses.contains(created.status));
    const json answer = json::parse(created.body);
    if (created.status != 201) {
        RC_ASSERT(!answer.at("message").get<std::string>().empty());
        RC_ASSERT(harness.ask(request(Method::get, "/containers/subject/json")).status == 404);
        return;
    }
    RC_ASSERT(answer.at("Id").get<std::string>().size() == 64U);
    const Response seen = harness.ask(request(Method::get, "/containers/subject/json"));
    RC_ASSERT(json::parse(seen.body).at("Id") == answer.at("Id"));
    harness.ask(request(Method::post, "/containers/subject/start"));
    harness.pass(std::chrono::seconds(100));
    const Response later = harness.ask(request(Method::get, "/containers/subject/json"));
    RC_ASSERT(later.status == 404 || json::parse(later.body).at("Id") == answer.at("Id"));
    const Response listed = harness.ask(request(Method::get, "/containers/json?all=1"));
    RC_ASSERT(json::parse(listed.body).size() == (later.status == 404 ? 1U : 2U));
}

RC_GTEST_PROP(DockerCreate, AnswersAnyJson, ()) { check_create((*value(4)).dump()); }

RC_GTEST_PROP(DockerCreate, AnswersABodyThatIsNearlyGood, ()) {
    check_create((*nearly_good_body()).dump());
}

RC_GTEST_PROP(DockerCreate, AnswersTextThatIsNoJson, (const std::string& text)) {
    check_create(text);
}

/// Without this the properties could hold with every body refused.
TEST(DockerCreate, TakesABodyThatIsGood) {
    ModelHarness harness;
    harness.model.add_image("bb");
    const std::string body =
        R"({"Image":"bb","Cmd":["sleep","300"],"HostConfig":{"Binds":["v1:/x"],"Dns":["1.1.1.1"]}})";
    EXPECT_EQ(harness.ask(request(Method::post, "/containers/create", body)).status, 201);
}

}  // namespace
}  // namespace drydock::sim::test
