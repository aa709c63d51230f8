#pragma once

#include "docker/filters.hpp"

#include <drydock/sim/engine.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// An event as clients see it.
struct ShownEvent {
    std::string type;
    std::string action;
    std::string id;
    std::map<std::string, std::string> attributes;
    WallTime at{};
};

ShownEvent shown(const EngineEvent& event, const SandboxEngine& engine);
bool passes(const Filters& filters, const ShownEvent& event);
/// A JSON object and a newline.
void append_event(std::string& text, const ShownEvent& event);

/// Seconds since 1970, maybe with a fraction; empty is no time. Go's complaint where it is neither.
struct Moment {
    std::optional<WallTime> at{};
    std::string error{};
};
Moment read_moment(std::string_view text);

}  // namespace drydock::sim::docker
