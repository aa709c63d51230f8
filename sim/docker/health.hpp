#pragma once

#include "docker/create_body.hpp"

#include <drydock/sim/engine.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// Reads a create's Healthcheck with Docker's defaults; nothing if it has none or "NONE".
void read_health_check(const nlohmann::json& body, CreateBody& read);
std::optional<Refusal> refused_health_check(const nlohmann::json& body);

/// What the probes of a container have shown by now. A probe's outcome follows from its command, so
/// health follows from the time since the start: no timer runs for it.
struct Health {
    std::string_view status;
    std::int64_t failing_streak = 0;
    std::int64_t probes = 0;  ///< that have ended
    Duration length{};        ///< of one probe
    Duration period{};        ///< from the end of one to the end of the next
    int exit_code = 0;
    std::string output;
};

/// Nothing for one without a health check or that has never run.
std::optional<Health> health_of(const Sandbox& sandbox, Time now);
/// `"healthy"`, or "none" where there is no health.
std::string_view health_status(const Sandbox& sandbox, Time now);

/// `,"Health":{...}` of an inspect's State.
void append_health(std::string& json, const Sandbox& sandbox, const SandboxEngine& engine);

}  // namespace drydock::sim::docker
