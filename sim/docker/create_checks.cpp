#include "docker/create_body.hpp"

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
    const bool restarts = !policy.empty() && policy != "no";
    if (restarts && host.value("AutoRemove", false)) {
        return invalid("can't create 'AutoRemove' container with restart policy");
    }
    return std::nullopt;
}

std::optional<Refusal> refused_ports(const json& host) {
    const auto bindings = host.find("PortBindings");
    if (bindings == host.end() || !bindings->is_object()) {
        return std::nullopt;
    }
    for (const json& list : *bindings) {
        for (const json& binding : list) {
            const std::string port = text_at(binding, "HostPort");
            unsigned number = 0;
            const auto [end, failed] =
                std::from_chars(port.data(), port.data() + port.size(), number);
            const bool is_number = failed == std::errc{} && end == port.data() + port.size();
            if (!port.empty() && (!is_number || number > 65535)) {
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
    if (auto refusal = refused_ports(host)) {
        return refusal;
    }
    if (auto refusal = refused_restart_policy(host)) {
        return refusal;
    }
    return refused_resources(host);
}

std::optional<Refusal> refused_values(const json& body) {
    constexpr std::int64_t least_interval = 1'000'000;
    const std::string folder = text_at(body, "WorkingDir");
    if (!folder.empty() && folder.front() != '/') {
        return invalid(fmt::format(
            "the working directory '{}' is invalid, it needs to be an absolute path", folder));
    }
    if (const auto env = body.find("Env"); env != body.end() && env->is_array()) {
        for (const json& entry : *env) {
            if (entry.is_string() && entry.get_ref<const std::string&>().starts_with('=')) {
                return invalid("invalid environment variable: " + entry.get<std::string>());
            }
        }
    }
    if (const auto check = body.find("Healthcheck"); check != body.end() && check->is_object()) {
        const std::int64_t interval = number_at(*check, "Interval");
        if (interval != 0 && interval < least_interval) {
            return invalid("Interval in Healthcheck cannot be less than 1ms");
        }
    }
    return std::nullopt;
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
    if (!is_plain || reference.empty()) {
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
