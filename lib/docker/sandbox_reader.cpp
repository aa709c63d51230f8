#include "docker/answers.hpp"
#include "docker/json_cursor.hpp"

#include <utility>

namespace drydock::docker {
namespace {

bool read_labels(JsonCursor& json, Labels& labels) {
    labels.clear();
    if (json.take_null()) {
        return true;
    }
    json.enter_object();
    std::string_view key;
    std::string value;
    while (json.next_key(key)) {
        if (json.read_string(value)) {
            labels.emplace_back(std::string(key), std::move(value));
        }
    }
    return !json.failed();
}

/// Reads {"Status": ..., "Dead": ..., "Error": ...}: the words win over the flags, except that an
/// engine which gave a removal up says so by the flag whatever word it uses.
bool read_state(JsonCursor& json, SandboxInfo& info) {
    std::string status;
    bool dead = false;
    json.enter_object();
    std::string_view key;
    while (json.next_key(key)) {
        if (key == "Status") {
            json.read_string(status);
        } else if (key == "Dead") {
            json.read_bool(dead);
        } else if (key == "Error") {
            json.read_string(info.detail);
        } else {
            json.skip();
        }
    }
    info.state = dead ? SandboxState::failed : state_of(status);
    info.is_paused = !dead && status == "paused";
    return !json.failed() && !status.empty();
}

/// `is_last`: nothing is wanted after the labels, so the rest is left unread.
bool read_config(JsonCursor& json, Labels& labels, bool is_last) {
    json.enter_object();
    std::string_view key;
    while (json.next_key(key)) {
        if (key != "Labels") {
            json.skip();
        } else if (read_labels(json, labels) && is_last) {
            return true;
        }
    }
    return !json.failed();
}

bool read_name(JsonCursor& json, std::string& name) {
    if (!json.read_string(name)) {
        return false;
    }
    if (name.starts_with('/')) {
        name.erase(0, 1);
    }
    return true;
}

/// The container's own name is the one without a further slash; the others are links to it.
bool read_names(JsonCursor& json, std::string& name) {
    if (json.take_null()) {
        return true;
    }
    json.enter_array();
    std::string candidate;
    while (json.next_element()) {
        if (read_name(json, candidate) && candidate.find('/') == std::string::npos) {
            name = candidate;
        }
    }
    return !json.failed();
}

bool read_entry(JsonCursor& json, SandboxInfo& info) {
    std::string status;
    json.enter_object();
    std::string_view key;
    while (json.next_key(key)) {
        if (key == "Id") {
            json.read_string(info.id);
        } else if (key == "Names") {
            read_names(json, info.name);
        } else if (key == "State") {
            json.read_string(status);
        } else if (key == "Labels") {
            read_labels(json, info.labels);
        } else {
            json.skip();
        }
    }
    info.state = state_of(status);
    info.is_paused = status == "paused";
    return !json.failed() && !info.id.empty() && !status.empty();
}

}  // namespace

std::optional<SandboxInfo> read_sandbox(std::string_view body) {
    SandboxInfo info;
    bool has_state = false;
    bool has_config = false;
    JsonCursor json(body);
    json.enter_object();
    std::string_view key;
    while (json.next_key(key)) {
        if (key == "Id") {
            json.read_string(info.id);
        } else if (key == "Name") {
            read_name(json, info.name);
        } else if (key == "State") {
            has_state = read_state(json, info);
        } else if (key == "Config") {
            const bool is_last = has_state && !info.id.empty() && !info.name.empty();
            has_config = read_config(json, info.labels, is_last);
        } else {
            json.skip();
            continue;
        }
        if (has_state && has_config && !info.id.empty() && !info.name.empty()) {
            return info;
        }
    }
    return std::nullopt;
}

std::optional<std::vector<SandboxInfo>> read_sandboxes(std::string_view body) {
    std::vector<SandboxInfo> sandboxes;
    JsonCursor json(body);
    json.enter_array();
    while (json.next_element()) {
        if (!read_entry(json, sandboxes.emplace_back())) {
            return std::nullopt;
        }
    }
    if (!json.at_end()) {
        return std::nullopt;
    }
    return sandboxes;
}

}  // namespace drydock::docker
