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

/// A good body with everything in it that is looked at.
json good_body() {
    return json::parse(R"({
        "Image": "bb", "Cmd": ["sleep", "300"], "Entrypoint": null, "Env": ["A=1"],
        "Labels": {"k": "v"}, "WorkingDir": "/work", "User": "0", "Tty": true, "OpenStdin": true,
        "StopTimeout": 1, "StopSignal": "SIGINT", "ExposedPorts": {"80/tcp": {}, "81": {}},
        "Healthcheck": {"Test": ["CMD", "true"], "Interval": 1000000000, "Timeout": 2000000000,
                        "Retries": 2, "StartPeriod": 1000000000},
        "Volumes": {"/data": {}}, "Hostname": "here", "AttachStdin": true,
        "HostConfig": {
            "Binds": ["v1:/a", "/tmp:/b:ro"], "VolumesFrom": ["earlier:ro"],
            "Mounts": [{"Type": "bind", "Source": "/tmp", "Target": "/c", "ReadOnly": true,
                        "BindOptions": {"Propagation": "slave"}}],
            "PortBindings": {"80/tcp": [{"HostIp": "127.0.0.1", "HostPort": "8080-8090"}]},
            "PublishAllPorts": true, "NetworkMode": "bridge", "AutoRemove": false,
            "RestartPolicy": {"Name": "no", "MaximumRetryCount": 0},
            "Memory": 67108864, "MemorySwap": 134217728, "MemorySwappiness": 10,
            "NanoCpus": 1000000000, "CapAdd": ["NET_ADMIN"], "CapDrop": ["ALL"],
            "Runtime": "runc", "LogConfig": {"Type": "json-file", "Config": {}},
            "Dns": ["1.1.1.1"], "Tmpfs": {"/run": ""}},
        "NetworkingConfig": {"EndpointsConfig": {"bridge": {}}}})");
}

/// The good body with a few of its values, wherever they are, replaced by others.
json nearly_good_body() {
    json body = good_body();
    const auto changes = *rc::gen::inRange(0, 4);
    for (int i = 0; i < changes; ++i) {
        const json places = body.flatten();
        const auto any_place = rc::gen::inRange<std::size_t>(0, places.size());
        const auto chosen = *rc::gen::resize(rc::kNominalSize, any_place);  // not the first ones
        const auto leaf = std::next(places.begin(), static_cast<std::ptrdiff_t>(chosen));
        json::json_pointer place(leaf.key());
        const auto levels = *rc::gen::inRange(0, 3);
        for (int up = 0; up < levels && !place.parent_pointer().empty(); ++up) {
            place = place.parent_pointer();
        }
        body[place] = *value(2);
    }
    return body;
}

Request request(Method method, std::string target, std::string body = {}) {
    Request request;
    request.method = method;
    request.target = std::move(target);
    request.body = std::move(body);
    request.content_type = request.body.empty() ? "" : "application/json";
    return request;
}

/// What is wrong with the answer to a create, or with what can be seen of what it made.
std::string fault_of_create(const std::string& body) {
    static const std::set<int> statuses = {201, 400, 404, 409, 500};
    ModelHarness harness;
    harness.model.add_image("bb");
    const std::string earlier = R"({"Image":"bb","Cmd":["sleep","300"],"Volumes":{"/data":{}}})";
    harness.ask(request(Method::post, "/containers/create?name=earlier", earlier));
    const auto see = [&] { return harness.ask(request(Method::get, "/containers/subject/json")); };

    const Response created =
        harness.ask(request(Method::post, "/containers/create?name=subject", body));
    const json answer = json::parse(created.body);
    if (!statuses.contains(created.status)) {
        return "status " + std::to_string(created.status);
    }
    if (created.status != 201) {
        const bool says_why = !answer.at("message").get<std::string>().empty();
        return !says_why ? "no message" : see().status != 404 ? "refused but made" : "";
    }
    if (json::parse(see().body).at("Id") != answer.at("Id")) {
        return "not seen";
    }
    harness.ask(request(Method::post, "/containers/subject/start"));
    harness.pass(std::chrono::seconds(100));
    const Response later = see();  // it may have removed itself
    const Response listed = harness.ask(request(Method::get, "/containers/json?all=1"));
    const bool is_there = later.status != 404;
    if (is_there && json::parse(later.body).at("Id") != answer.at("Id")) {
        return "not seen after its start";
    }
    return json::parse(listed.body).size() == (is_there ? 2U : 1U) ? "" : "not listed";
}

RC_GTEST_PROP(DockerCreate, AnswersAnyJson, ()) {
    RC_ASSERT(fault_of_create((*value(4)).dump()) == "");
}

RC_GTEST_PROP(DockerCreate, AnswersABodyThatIsNearlyGood, ()) {
    RC_ASSERT(fault_of_create(nearly_good_body().dump()) == "");
}

RC_GTEST_PROP(DockerCreate, AnswersTextThatIsNoJson, (const std::string& text)) {
    RC_ASSERT(fault_of_create(text) == "");
}

/// Each value of the good body in turn, and each object and list, with something else in its place.
TEST(DockerCreate, AnswersEveryValueOfAnotherShape) {
    const json others = json::parse(R"([null, true, -1, 0.5, 18446744073709551615, "", "x", [], {},
                                        [5], ["x"], [{}], {"x": 5}, {"x": "y"}, {"x": [5]}])");
    std::set<std::string> places;
    const json leaves = good_body().flatten();
    for (const auto& [text, leaf] : leaves.items()) {
        for (json::json_pointer place(text); !place.empty(); place = place.parent_pointer()) {
            places.insert(place.to_string());
        }
    }
    ASSERT_GT(places.size(), leaves.size());
    for (const std::string& place : places) {
        for (const json& other : others) {
            json body = good_body();
            body[json::json_pointer(place)] = other;
            EXPECT_EQ(fault_of_create(body.dump()), "") << place << " is " << other;
        }
    }
}

/// Without this the properties could hold with every body refused.
TEST(DockerCreate, TakesABodyThatIsGood) {
    ModelHarness harness;
    harness.model.add_image("bb");
    const std::string earlier = R"({"Image":"bb","Cmd":["sleep","300"]})";
    harness.ask(request(Method::post, "/containers/create?name=earlier", earlier));
    const Response created =
        harness.ask(request(Method::post, "/containers/create", good_body().dump()));
    EXPECT_EQ(created.status, 201) << created.body;
}

}  // namespace
}  // namespace drydock::sim::test
