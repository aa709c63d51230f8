#pragma once

#include <drydock/sim/sandbox.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// One mount as a create asks for it; `error` says what is wrong with it, in Docker's words.
struct MountSpec {
    Mount mount;
    std::string error;
    bool is_client_error = false;  ///< answered with 400, else with 500
};

/// "source:target:mode" of Binds.
MountSpec read_bind(const std::string& text);
/// An object of Mounts.
MountSpec read_mount(const nlohmann::json& object);

/// Why no volume of that name can be made; empty if it can, or if there is no volume.
std::string why_no_volume(const Mount& mount);

/// Whether "ro,Z" and the like can be a mount's mode.
bool is_mount_mode(std::string_view mode);

}  // namespace drydock::sim::docker
