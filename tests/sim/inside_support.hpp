#pragma once

#include "docker_support.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::test {

using nlohmann::json;
using Words = std::vector<std::string>;
using ResponderPtr = std::shared_ptr<RecordingResponder>;

/// A Docker model whose containers run something.
class Inside : public ModelHarness {
public:
    static Request request(Method method, std::string target, const json& body = {}) {
        Request made;
        made.method = method;
        made.target = std::move(target);
        made.body = body.is_null() ? std::string() : body.dump();
        made.content_type = body.is_null() ? "" : "application/json";
        return made;
    }
    Response post(std::string target, const json& body = {}) {
        return ask(request(Method::post, std::move(target), body));
    }
    Response get(std::string target) { return ask(request(Method::get, std::move(target))); }

    void create(const std::string& name, const Words& command, const json& changes = {}) {
        json body = {{"Image", "bb"}, {"Cmd", command}, {"HostConfig", {{"NetworkMode", "none"}}}};
        body.merge_patch(changes.is_null() ? json::object() : changes);
        post("/containers/create?name=" + name, body);
    }
    Response start(const std::string& name) { return post("/containers/" + name + "/start"); }
    /// A container that runs that.
    void run(const std::string& name, const Words& command, const json& changes = {}) {
        create(name, command, changes);
        start(name);
    }
    json state(const std::string& name) {
        return json::parse(get("/containers/" + name + "/json").body).at("State");
    }

    /// The id of a new exec of that shell line in the container "box".
    std::string exec(const std::string& line, const json& changes = {}) {
        json body = {{"Cmd", {"sh", "-c", line}}, {"AttachStdout", true}, {"AttachStderr", true}};
        body.merge_patch(changes.is_null() ? json::object() : changes);
        return json::parse(post("/containers/box/exec", body).body).at("Id");
    }
    ResponderPtr attach_exec(const std::string& id, Intervention intervention = {}) {
        Request made = request(Method::post, "/exec/" + id + "/start", {{"Detach", false}});
        made.asks_upgrade = true;
        return send(made, intervention);
    }
    Response start_detached(const std::string& id) {
        return post("/exec/" + id + "/start", {{"Detach", true}});
    }
    json seen_exec(const std::string& id) { return json::parse(get("/exec/" + id + "/json").body); }
    ResponderPtr open(Method method, std::string target) {
        return send(request(method, std::move(target)));
    }
    double seconds() const {
        return std::chrono::duration<double>(world.now().time_since_epoch()).count();
    }
};

/// "1:text" for each frame, the neighbours of one stream joined.
inline std::string frames(std::string_view bytes) {
    constexpr std::size_t header = 8;
    std::string shown;
    char last = '\0';
    while (bytes.size() >= header) {
        const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[6])) << 8 |
                            static_cast<unsigned char>(bytes[7]);
        const char stream = static_cast<char>('0' + bytes[0]);
        if (stream != last) {
            shown.append({stream, ':'});
        }
        last = stream;
        shown.append(bytes.substr(header, length));
        bytes.remove_prefix(std::min(header + length, bytes.size()));
    }
    return shown.append(bytes.empty() ? "" : "(torn)");
}

}  // namespace drydock::sim::test
