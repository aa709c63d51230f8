#include "docker/create_body.hpp"
#include "docker/signals.hpp"

#include "docker/fields.hpp"
#include "docker/health.hpp"
#include "docker/mounts.hpp"
#include "docker/number.hpp"
#include "docker/options.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

constexpr std::string_view wrapper = "ContainerConfigWrapper.";

/// A command may also be a plain string; what is neither is refused as no string.
void read_words(Fields& fields, const char* key, std::vector<std::string>& words) {
    const json* value = fields.find(key);
    if (value == nullptr) {
        return;
    }
    const bool is_list =
        value->is_array() && std::all_of(value->begin(), value->end(),
                                         [](const json& word) { return word.is_string(); });
    if (value->is_string()) {
        words.push_back(value->get<std::string>());
    } else if (is_list) {
        fields.read(key, words);
    } else {
        fields.refuse(key, *value, "string");
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

void read_bindings(Fields& host, CreateBody& read) {
    const json* bindings = host.find_object("PortBindings", "nat.PortMap");
    if (bindings == nullptr) {
        return;
    }
    read.config.has_port_bindings = true;
    for (const auto& [port, list] : bindings->items()) {
        for (const json& one : list) {
            if (!one.is_object()) {
                host.refuse("PortBindings", one, "nat.PortBinding");
                continue;
            }
            PortBinding binding{port, {}, {}};
            Fields fields(one, "PortBinding.HostConfig.PortBindings.", read.refusal);
            fields.read("HostIp", binding.host_ip);
            fields.read("HostPort", binding.host_port);
            read.config.port_bindings.push_back(std::move(binding));
        }
    }
}

void read_host_config(const json& host, CreateBody& read) {
    Fields fields(host, "HostConfig.", read.refusal);
    fields.read("NetworkMode", read.config.network_mode);
    fields.read("AutoRemove", read.config.auto_remove);
    fields.read("PublishAllPorts", read.config.publishes_all);
    if (read.config.network_mode.empty()) {
        read.config.network_mode = "default";
    }
    read_restart_policy(host, read.config);
    read_bindings(fields, read);
    read_host_options(host, read);
    read_mounts(host, read);
    read.discards_ports = read.config.network_mode == "host" && !read.config.port_bindings.empty();
}

void read_config(const json& body, CreateBody& read) {
    SandboxConfig& config = read.config;
    Fields fields(body, wrapper, read.refusal);
    fields.read("Image", config.image);
    config.has_no_image = config.image.empty();
    read_words(fields, "Cmd", config.command);
    read_words(fields, "Entrypoint", config.entrypoint);
    config.has_environment = fields.find("Env") != nullptr;
    fields.read("Env", config.environment);
    read_labels(fields, config);
    fields.read("WorkingDir", config.working_dir);
    if (!config.working_dir.empty()) {
        config.working_dir = clean_path(config.working_dir);
    }
    fields.read("User", config.user);
    fields.read("StopSignal", config.stop_signal_text);
    const Number number = whole_number(config.stop_signal_text);
    config.stop_signal = number.error.empty() ? static_cast<int>(number.value)
                                              : signal_number(config.stop_signal_text).value_or(0);
    fields.read("Tty", config.tty);
    fields.read("OpenStdin", config.open_stdin);
    fields.read("StdinOnce", config.stdin_once);
    if (fields.find("StopTimeout") != nullptr) {
        fields.read("StopTimeout", config.stop_timeout.emplace());
    }
    read_health_check(body, read);
    read_config_options(body, read);
    if (const json* ports = fields.find_object("ExposedPorts", "nat.PortSet")) {
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

void read_restart_policy(const json& host, SandboxConfig& config) {
    constexpr std::array<std::pair<std::string_view, RestartPolicy>, 4> policies = {
        {{"no", RestartPolicy::no},
         {"always", RestartPolicy::always},
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

std::optional<Refusal> refused_content_type(std::string_view content_type) {
    if (content_type.substr(0, content_type.find(';')) == "application/json") {
        return std::nullopt;
    }
    return Refusal{
        400, fmt::format("Content-Type specified ({}) must be 'application/json'", content_type)};
}

CreateBody read_create_body(std::string_view content_type, std::string_view body) {
    CreateBody read;
    const bool is_empty = body.empty() && content_type.empty();
    read.refusal = is_empty ? std::nullopt : refused_content_type(content_type);
    if (read.refusal) {
        return read;
    }
    const json parsed = json::parse(body, nullptr, false);
    if (parsed.is_discarded()) {
        read.refusal = Refusal{500, body.empty() ? "EOF" : "unexpected EOF"};
        return read;
    }
    if (!parsed.is_object()) {
        read.refusal = Refusal{500, fmt::format("json: cannot unmarshal {} into Go value of type "
                                                "runconfig.ContainerConfigWrapper",
                                                type_word(parsed))};
        return read;
    }
    if (!names_config(parsed)) {
        read.refusal = Refusal{400, "Config cannot be empty in order to create a container"};
        return read;
    }
    read_config(parsed, read);
    Fields fields(parsed, wrapper, read.refusal);
    const json* host = fields.find_object("HostConfig", "container.HostConfig");
    if (host != nullptr) {
        read_host_config(*host, read);
    }
    read_volumes(parsed, read);
    if (!read.refusal) {
        read.refusal = refused_values(parsed);
    }
    if (!read.refusal && host != nullptr) {
        read.refusal = refused_host_config(*host);
    }
    if (!read.refusal) {
        read.refusal = refused_networks(parsed);
    }
    return read;
}

}  // namespace drydock::sim::docker
