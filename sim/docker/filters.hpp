#pragma once

#include <drydock/sim/engine.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::docker {

/// The `filters` of a list: a container passes if it passes each key.
struct Filters {
    std::map<std::string, std::vector<std::string>> values;
    int error_status = 0;  ///< not 0: they are refused
    std::string error;

    bool has(const std::string& key) const { return values.contains(key); }
};

/// Takes {"key":["value"]} and the old {"key":{"value":true}}.
Filters read_filters(std::string_view text);

bool passes(const Filters& filters, const Sandbox& sandbox, const SandboxEngine& engine);

}  // namespace drydock::sim::docker
