#include "docker/create_body.hpp"
#include "docker/health.hpp"
#include "docker/mounts.hpp"
#include "docker/number.hpp"
#include "docker/signals.hpp"
#include "engine/programs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

constexpr int cpus = 2;

std::string text_at(const json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::int64_t number_at(const json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

std::optional<Refusal> invalid(std::string message) { return Refusal{400, std::move(message)}; }

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::optional<Refusal> refused_restart_policy(const json& host) {
    const auto at = host.find("RestartPolicy");
    if (at == host.end() || !at->is_object()) {
        return std::nullopt;
    }
    const std::string policy = text_at(*at, "Name");
    const std::int64_t retries = number_at(*at, "MaximumRetryCount");
    if (policy == "always" || policy == "unless-stopped" || policy == "no") {
        if (retries != 0) {
            return invalid(
                fmt::format("maximum retry count cannot be used with restart policy '{}'", policy));
        }
    } else if (policy == "on-failure") {
        if (retries < 0) {
            return invalid("maximum retry count cannot be negative");
        }
    } else if (!policy.empty()) {
        return invalid(fmt::format("invalid restart policy '{}'", policy));
    }
    return std::nullopt;
}

std::optional<Refusal> refused_auto_remove(const json& host) {
    const auto policy = host.find("RestartPolicy");
    const auto auto_remove = host.find("AutoRemove");
    if (policy == host.end() || auto_remove == host.end() || *auto_remove != true) {
        return std::nullopt;
    }
    const std::string name = text_at(*policy, "Name");
    return name.empty() || name == "no"
               ? std::nullopt
               : invalid("can't create 'AutoRemove' container with restart policy");
}

/// A number up to 65535.
std::optional<unsigned> port_number(std::string_view text) {
    unsigned number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = failed == std::errc{} && end == text.data() + text.size();
    return is_number && number <= 65535 ? std::optional(number) : std::nullopt;
}

/// A port or a range of them.
bool is_port_range(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto first = port_number(text.substr(0, dash));
    if (dash == std::string_view::npos) {
        return first.has_value();
    }
    const auto last = port_number(text.substr(dash + 1));
    return first && last && *first <= *last;
}

std::optional<Refusal> refused_ports(const json& host) {
    const auto bindings = host.find("PortBindings");
    if (bindings == host.end() || !bindings->is_object()) {
        return std::nullopt;
    }
    for (const auto& [key, list] : bindings->items()) {
        const std::string inner = key.substr(0, key.find('/'));
        if (!port_number(inner)) {
            return invalid(fmt::format("invalid port specification: \"{}\"", inner));
        }
        for (const json& binding : list) {
            const std::string port = text_at(binding, "HostPort");
            if (!port.empty() && !is_port_range(port)) {
                return invalid(fmt::format("invalid port specification: \"{}\"", port));
            }
        }
    }
    return std::nullopt;
}

std::optional<Refusal> refused_resources(const json& host) {
    const std::int64_t memory = number_at(host, "Memory");
    if (memory != 0 && memory < 6 * 1024 * 1024) {
        return invalid("Minimum memory limit allowed is 6MB");
    }
    const std::int64_t swap = number_at(host, "MemorySwap");
    if (memory > 0 && swap > 0 && swap < memory) {
        return invalid("Minimum memoryswap limit should be larger than memory limit, see usage");
    }
    const std::int64_t nano_cpus = number_at(host, "NanoCpus");
    if (nano_cpus < 0 || nano_cpus > cpus * 1'000'000'000LL) {
        return invalid(
            fmt::format("Range of CPUs is from 0.01 to {0}.00, as there are only {0} "
                        "CPUs available",
                        cpus));
    }
    const std::string runtime = text_at(host, "Runtime");
    if (!runtime.empty() && runtime != "runc") {
        return invalid("Unknown runtime specified " + runtime);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Refusal> refused_host_config(const json& host) {
    if (text_at(host, "NetworkMode") == "container:") {
        return invalid("Invalid network mode: invalid container format container:<name|id>");
    }
    using Check = std::optional<Refusal> (*)(const json&);
    constexpr std::array<Check, 6> checks = {refused_auto_remove,  refused_mounts,
                                             refused_ports,        refused_restart_policy,
                                             refused_capabilities, refused_resources};
    for (const Check check : checks) {
        if (auto refusal = check(host)) {
            return refusal;
        }
    }
    return std::nullopt;
}

std::optional<Refusal> refused_values(const json& body) {
    const std::string folder = text_at(body, "WorkingDir");
    if (!folder.empty() && folder.front() != '/') {
        return invalid(fmt::format(
            "the working directory '{}' is invalid, it needs to be an absolute path", folder));
    }
    const std::string signal = text_at(body, "StopSignal");
    // Any number but 0 is let through; a stop finds out.
    const Number number = whole_number(signal);
    const bool is_number = number.error.empty() && number.value != 0;
    if (!signal.empty() && !is_number && !signal_number(signal)) {
        return invalid("Invalid signal: " + signal);
    }
    if (const auto env = body.find("Env"); env != body.end() && env->is_array()) {
        for (const json& entry : *env) {
            if (entry.is_string() && entry.get_ref<const std::string&>().starts_with('=')) {
                return invalid("invalid environment variable: " + entry.get<std::string>());
            }
        }
    }
    return refused_health_check(body);
}

std::optional<Refusal> refused_networks(const json& body) {
    const auto networking = body.find("NetworkingConfig");
    if (networking == body.end()) {
        return std::nullopt;
    }
    const auto endpoints = networking->find("EndpointsConfig");
    if (endpoints == networking->end() || !endpoints->is_object() || endpoints->size() < 2) {
        return std::nullopt;
    }
    std::string networks;
    for (const auto& [network, endpoint] : endpoints->items()) {
        networks.append(networks.empty() ? "" : ", ").append(network);
    }
    return invalid("Container cannot be connected to network endpoints: " + networks);
}

std::optional<Refusal> refused_working_dir(const SandboxConfig& config) {
    if (config.working_dir.empty() || !is_file_of_image(config.working_dir)) {
        return std::nullopt;
    }
    return Refusal{500, "Cannot mkdir: " + config.working_dir + " is not a directory"};
}

std::optional<Refusal> refused_image(std::string_view reference) {
    const std::string_view repository = reference.substr(0, reference.rfind(':'));
    const bool has_upper = std::any_of(repository.begin(), repository.end(),
                                       [](char c) { return c >= 'A' && c <= 'Z'; });
    if (has_upper) {
        return invalid("invalid reference format: repository name must be lowercase");
    }
    const bool is_plain = std::all_of(reference.begin(), reference.end(), [](char c) {
        return is_letter_or_digit(c) ||
               std::string_view("._-/:@").find(c) != std::string_view::npos;
    });
    if (!is_plain) {
        return invalid("invalid reference format");
    }
    return std::nullopt;
}

std::string with_tag(std::string_view reference) {
    const std::size_t slash = reference.rfind('/');
    const std::string_view last =
        slash == std::string_view::npos ? reference : reference.substr(slash + 1);
    std::string tagged(reference);
    if (last.find(':') == std::string_view::npos && last.find('@') == std::string_view::npos) {
        tagged.append(":latest");
    }
    return tagged;
}

bool is_name(std::string_view name) {
    const auto is_inner = [](char c) {
        return is_letter_or_digit(c) || c == '_' || c == '.' || c == '-';
    };
    return name.size() >= 2 && is_letter_or_digit(name[0]) &&
           std::all_of(name.begin(), name.end(), is_inner);
}

}  // namespace drydock::sim::docker
