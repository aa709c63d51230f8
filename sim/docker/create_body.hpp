#pragma once

#include <drydock/sim/sandbox.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim::docker {

/// Why a create is refused before any image or name is looked at.
struct Refusal {
    int status = 0;
    std::string message;
};

/// A create's body: its config, or the refusal.
struct CreateBody {
    SandboxConfig config;
    std::optional<Refusal> refusal;
    std::optional<Refusal> late_refusal;    ///< found only after image and name
    std::vector<std::string> volumes_from;  ///< containers whose mounts are taken over
    bool discards_ports = false;            ///< a warning is due
};

/// Whether a body that must be JSON says that it is.
std::optional<Refusal> refused_content_type(std::string_view content_type);

CreateBody read_create_body(std::string_view content_type, std::string_view body);
void read_restart_policy(const nlohmann::json& host, SandboxConfig& config);

/// The recorded checks of values, in the engine's order.
std::optional<Refusal> refused_values(const nlohmann::json& body);
std::optional<Refusal> refused_host_config(const nlohmann::json& host);
std::optional<Refusal> refused_networks(const nlohmann::json& body);
std::optional<Refusal> refused_capabilities(const nlohmann::json& host);

/// Whether `reference` can be an image's name at all.
std::optional<Refusal> refused_image(std::string_view reference);
/// Whether the working folder, which a create makes, is a file of the image.
std::optional<Refusal> refused_working_dir(const SandboxConfig& config);
/// "bb" is "bb:latest".
std::string with_tag(std::string_view reference);
bool is_name(std::string_view name);

}  // namespace drydock::sim::docker
