#pragma once

#include "docker/create_body.hpp"

#include <drydock/sim/engine.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::docker {

/// The `filters` of a list: a container passes if it passes each key.
struct Filters {
    std::map<std::string, std::vector<std::string>> values;
    std::string error;  ///< not empty: they cannot be read, and why

    bool has(const std::string& key) const { return values.contains(key); }
};

/// Takes {"key":["value"]} and the old {"key":{"value":true}}.
Filters read_filters(std::string_view text);

/// The checks of keys and values, in the engine's order.
std::optional<Refusal> refused_filters(const Filters& filters, const SandboxEngine& engine);

bool passes(const Filters& filters, const Sandbox& sandbox, const SandboxEngine& engine);

}  // namespace drydock::sim::docker
