#include "docker/filters.hpp"

#include "docker/answers.hpp"
#include "docker/fields.hpp"
#include "docker/health.hpp"
#include "docker/mounts.hpp"
#include "docker/number.hpp"
#include "engine/holds.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <regex>

namespace drydock::sim::docker {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 15> known_keys = {
    "ancestor", "before", "exited",  "expose",  "health", "id",     "is-task", "isolation",
    "label",    "name",   "network", "publish", "since",  "status", "volume"};
constexpr std::array<std::string_view, 7> known_statuses = {
    "created", "dead", "exited", "paused", "removing", "restarting", "running"};
constexpr std::array<std::string_view, 4> known_flags = {"0", "1", "false", "true"};
constexpr std::array<std::string_view, 4> known_health = {"healthy", "none", "starting",
                                                          "unhealthy"};

/// Go reads {"value":true} and ["value"] only.
bool is_readable(const json& values) {
    const bool is_list = values.is_array();
    return (is_list || values.is_object()) &&
           std::all_of(values.begin(), values.end(), [is_list](const json& value) {
               return is_list ? value.is_string() : value.is_boolean();
           });
}

void read_values(const json& values, std::vector<std::string>& read) {
    for (const auto& [key, value] : values.items()) {
        read.push_back(values.is_object() ? key : value.get<std::string>());
    }
}

bool has_label(const Sandbox& sandbox, std::string_view wanted) {
    const std::size_t equals = wanted.find('=');
    return std::any_of(
        sandbox.config.labels.begin(), sandbox.config.labels.end(), [&](const auto& label) {
            return label.first == wanted.substr(0, equals) &&
                   (equals == std::string_view::npos || label.second == wanted.substr(equals + 1));
        });
}

/// A regular expression, tried with and without the leading slash.
bool has_name(const Sandbox& sandbox, const std::string& wanted) {
    const std::string slashed = "/" + sandbox.name;
    if (wanted.find_first_of("^$.*+?()[]{}|\\") == std::string::npos) {
        return slashed.find(wanted) != std::string::npos;
    }
    try {
        const std::regex pattern(wanted);
        return std::regex_search(slashed, pattern) || std::regex_search(sandbox.name, pattern);
    } catch (const std::regex_error&) {
        return false;
    }
}

/// "80" is "80/tcp".
std::string with_protocol(const std::string& port) {
    return port.find('/') == std::string::npos ? port + "/tcp" : port;
}

/// Whether the create asked for that host port.
bool publishes(const Sandbox& sandbox, std::string_view wanted) {
    const auto& bindings = sandbox.config.port_bindings;
    return std::any_of(bindings.begin(), bindings.end(), [wanted](const PortBinding& binding) {
        const std::string inner = with_protocol(binding.port);
        return binding.host_port + inner.substr(inner.find('/')) == wanted;
    });
}

bool matches(std::string_view key, const std::string& value, const Sandbox& sandbox,
             const SandboxEngine& engine) {
    if (key == "label") {
        return has_label(sandbox, value);
    }
    if (key == "name") {
        return has_name(sandbox, value);
    }
    if (key == "id") {
        return sandbox.id.starts_with(value);
    }
    if (key == "status") {
        return name(sandbox.status) == value && !sandbox.removal_failed;
    }
    if (key == "exited") {
        return sandbox.status == Status::exited && std::to_string(sandbox.exit_code) == value;
    }
    if (key == "ancestor") {
        return sandbox.config.image == value || sandbox.config.image + ":latest" == value;
    }
    if (key == "network") {
        return network_of(sandbox.config) == value;
    }
    if (key == "is-task") {
        return value == "false";
    }
    if (key == "before" || key == "since") {
        const Sandbox* other = engine.resolve(value);
        return other != nullptr &&
               (key == "before" ? sandbox.number < other->number : sandbox.number > other->number);
    }
    if (key == "health") {
        return health_status(sandbox, engine.world().now()) == value;
    }
    if (key == "volume") {
        return has_mount(sandbox, value);
    }
    if (key == "expose") {
        return holds(sandbox.config.exposed_ports, with_protocol(value));
    }
    if (key == "publish") {
        return publishes(sandbox, with_protocol(value));
    }
    return true;
}

/// What Go's decoder says of a text that is no JSON.
std::string complaint(std::string_view text) {
    for (const std::string_view word : {"null", "true", "false"}) {
        if (text.front() != word.front()) {
            continue;
        }
        const auto [at, expected] =
            std::mismatch(text.begin(), text.end(), word.begin(), word.end());
        if (at != text.end() && expected != word.end()) {
            return fmt::format("invalid character '{}' in literal {} (expecting '{}')", *at, word,
                               *expected);
        }
    }
    if (std::string_view("{[\"-0123456789ntf").find(text.front()) == std::string_view::npos) {
        return fmt::format("invalid character '{}' looking for beginning of value", text.front());
    }
    return "unexpected end of JSON input";
}

/// Why no container can pass, if a value is none of the key's.
std::optional<Refusal> refused_value(std::string_view key, const std::string& value,
                                     const SandboxEngine& engine) {
    if (key == "exited") {
        const Number number = whole_number(value);
        return number.error.empty() ? std::nullopt : std::optional(Refusal{500, number.error});
    }
    if (key == "status" && !holds(known_statuses, value)) {
        return Refusal{400, "Invalid filter 'status=" + value + "'"};
    }
    if (key == "is-task" && !holds(known_flags, value)) {
        return Refusal{400, "Invalid filter 'is-task=[" + value + "]'"};
    }
    if (key == "health" && !holds(known_health, value)) {
        return Refusal{400, "Unrecognised filter value for health: " + value};
    }
    if ((key == "before" || key == "since") && engine.resolve(value) == nullptr) {
        return Refusal{500, "no such container " + value};
    }
    return std::nullopt;
}

}  // namespace

Filters read_filters(std::string_view text) {
    Filters filters;
    if (text.empty()) {
        return filters;
    }
    const json parsed = json::parse(text, nullptr, false);
    if (parsed.is_discarded()) {
        filters.error = complaint(text);
        return filters;
    }
    constexpr std::string_view refusal = "json: cannot unmarshal {} into Go value of type {}";
    if (!parsed.is_object()) {
        filters.error = fmt::format(refusal, type_word(parsed), "map[string]map[string]bool");
        return filters;
    }
    for (const auto& [key, values] : parsed.items()) {
        if (!is_readable(values)) {
            filters.error = fmt::format(refusal, type_word(values), "map[string]bool");
            return filters;
        }
        read_values(values, filters.values[key]);
    }
    return filters;
}

std::optional<Refusal> refused_filters(const Filters& filters, const SandboxEngine& engine) {
    for (const auto& [key, values] : filters.values) {
        if (!holds(known_keys, key)) {
            return Refusal{400, "Invalid filter '" + key + "'"};
        }
    }
    for (const char* key : {"exited", "status", "is-task", "health", "before", "since"}) {
        const auto at = filters.values.find(key);
        if (at == filters.values.end()) {
            continue;
        }
        for (const std::string& value : at->second) {
            if (auto refusal = refused_value(key, value, engine)) {
                return refusal;
            }
        }
    }
    return std::nullopt;
}

bool passes(const Filters& filters, const Sandbox& sandbox, const SandboxEngine& engine) {
    return std::all_of(filters.values.begin(), filters.values.end(), [&](const auto& filter) {
        const std::vector<std::string>& values = filter.second;
        if (values.empty()) {
            return true;
        }
        const auto one = [&](const std::string& value) {
            return matches(filter.first, value, sandbox, engine);
        };
        return filter.first == "label" ? std::all_of(values.begin(), values.end(), one)
                                       : std::any_of(values.begin(), values.end(), one);
    });
}

}  // namespace drydock::sim::docker
