#include "docker/create_body.hpp"
#include "docker/signals.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

constexpr std::string_view wrapper = "ContainerConfigWrapper.";

std::string_view type_word(const json& value) {
    switch (value.type()) {
        case json::value_t::array: return "array";
        case json::value_t::object: return "object";
        case json::value_t::string: return "string";
        case json::value_t::boolean: return "bool";
        default: return "number";
    }
}

/// Reads fields as Go's decoder does: a null is as good as nothing, another type is refused.
class Fields {
public:
    Fields(const json& object, std::string_view struct_name, std::optional<Refusal>& refusal)
        : object_(object), struct_name_(struct_name), refusal_(refusal) {}

    const json* find(const char* key) const {
        const auto at = object_.find(key);
        return at == object_.end() || at->is_null() ? nullptr : &*at;
    }
    void read(const char* key, std::string& to) {
        if (const json* value = find(key)) {
            if (value->is_string()) {
                value->get_to(to);
            } else {
                refuse(key, *value, "string");
            }
        }
    }
    void read(const char* key, bool& to) {
        if (const json* value = find(key)) {
            if (value->is_boolean()) {
                value->get_to(to);
            } else {
                refuse(key, *value, "bool");
            }
        }
    }
    void read(const char* key, std::vector<std::string>& to) {
        const json* value = find(key);
        if (value == nullptr) {
            return;
        }
        if (!value->is_array()) {
            refuse(key, *value, "[]string");
            return;
        }
        for (const json& element : *value) {
            if (element.is_string()) {
                to.push_back(element.get<std::string>());
            } else {
                refuse(key, element, "string");
            }
        }
    }
    void refuse(std::string_view key, const json& value, std::string_view wanted) {
        if (!refusal_) {
            refusal_ = Refusal{
                500, fmt::format("json: cannot unmarshal {} into Go struct field {}{} of type {}",
                                 type_word(value), struct_name_, key, wanted)};
        }
    }

private:
    const json& object_;
    std::string_view struct_name_;
    std::optional<Refusal>& refusal_;
};

/// A command may also be a plain string.
void read_words(Fields& fields, const char* key, std::vector<std::string>& words) {
    const json* value = fields.find(key);
    if (value != nullptr && value->is_string()) {
        words.push_back(value->get<std::string>());
    } else {
        fields.read(key, words);
    }
}

void read_labels(Fields& fields, SandboxConfig& config) {
    const json* labels = fields.find("Labels");
    if (labels == nullptr) {
        return;
    }
    if (!labels->is_object()) {
        fields.refuse("Labels", *labels, "map[string]string");
        return;
    }
    for (const auto& [key, value] : labels->items()) {  // in order of keys
        if (value.is_string()) {
            config.labels.emplace_back(key, value.get<std::string>());
        } else {
            fields.refuse("Labels", value, "string");
        }
    }
}

void read_bindings(const json& host, SandboxConfig& config) {
    const auto bindings = host.find("PortBindings");
    if (bindings == host.end() || !bindings->is_object()) {
        return;
    }
    for (const auto& [port, list] : bindings->items()) {
        for (const json& binding : list) {
            config.port_bindings.push_back(
                {port, binding.value("HostIp", ""), binding.value("HostPort", "")});
        }
    }
}

void read_restart_policy(const json& host, SandboxConfig& config) {
    constexpr std::array<std::pair<std::string_view, RestartPolicy>, 3> policies = {
        {{"always", RestartPolicy::always},
         {"unless-stopped", RestartPolicy::unless_stopped},
         {"on-failure", RestartPolicy::on_failure}}};
    const auto policy = host.find("RestartPolicy");
    if (policy == host.end() || !policy->is_object()) {
        return;
    }
    const auto named = policy->find("Name");
    for (const auto& [word, value] : policies) {
        if (named != policy->end() && *named == word) {
            config.restart_policy = value;
        }
    }
    const auto retries = policy->find("MaximumRetryCount");
    if (retries != policy->end() && retries->is_number_unsigned()) {
        config.maximum_retries = retries->get<std::uint32_t>();
    }
}

void read_host_config(const json& host, CreateBody& read) {
    Fields fields(host, "HostConfig.", read.refusal);
    fields.read("NetworkMode", read.config.network_mode);
    fields.read("AutoRemove", read.config.auto_remove);
    if (read.config.network_mode.empty()) {
        read.config.network_mode = "default";
    }
    read_bindings(host, read.config);
    read_restart_policy(host, read.config);
    read.discards_ports = read.config.network_mode == "host" && !read.config.port_bindings.empty();
}

void read_config(const json& body, CreateBody& read) {
    SandboxConfig& config = read.config;
    Fields fields(body, wrapper, read.refusal);
    fields.read("Image", config.image);
    read_words(fields, "Cmd", config.command);
    read_words(fields, "Entrypoint", config.entrypoint);
    config.has_environment = fields.find("Env") != nullptr;
    fields.read("Env", config.environment);
    read_labels(fields, config);
    fields.read("WorkingDir", config.working_dir);
    fields.read("User", config.user);
    fields.read("StopSignal", config.stop_signal_text);
    config.stop_signal = signal_number(config.stop_signal_text).value_or(0);
    fields.read("Tty", config.tty);
    fields.read("OpenStdin", config.open_stdin);
    if (const json* timeout = fields.find("StopTimeout"); timeout && timeout->is_number_integer()) {
        config.stop_timeout = timeout->get<std::int64_t>();
    }
    if (const json* ports = fields.find("ExposedPorts"); ports && ports->is_object()) {
        for (const auto& [port, nothing] : ports->items()) {
            config.exposed_ports.push_back(port);
        }
    }
}

bool names_config(const json& body) {
    const auto items = body.items();
    return std::any_of(items.begin(), items.end(), [](const auto& item) {
        return item.key() != "HostConfig" && item.key() != "NetworkingConfig";
    });
}

}  // namespace

CreateBody read_create_body(std::string_view content_type, std::string_view body) {
    CreateBody read;
    if (content_type.substr(0, content_type.find(';')) != "application/json") {
        read.refusal = Refusal{400, fmt::format("Content-Type specified ({}) must be "
                                                "'application/json'",
                                                content_type)};
        return read;
    }
    const json parsed = json::parse(body, nullptr, false);
    if (parsed.is_discarded() || !parsed.is_object()) {
        read.refusal = Refusal{500, body.empty() ? "EOF" : "unexpected EOF"};
        return read;
    }
    if (!names_config(parsed)) {
        read.refusal = Refusal{400, "Config cannot be empty in order to create a container"};
        return read;
    }
    read_config(parsed, read);
    const auto host = parsed.find("HostConfig");
    if (host != parsed.end() && host->is_object()) {
        read_host_config(*host, read);
        if (!read.refusal) {
            read.refusal = refused_host_config(*host);
        }
    }
    if (!read.refusal) {
        read.refusal = refused_values(parsed);
    }
    return read;
}

}  // namespace drydock::sim::docker
