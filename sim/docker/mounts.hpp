#pragma once

#include "docker/create_body.hpp"

#include <drydock/sim/engine.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// The entries of HostConfig.Mounts: their types, and the recorded checks of their values.
std::optional<Refusal> refused_mounts(const nlohmann::json& host);

/// Gathers the mounts of Binds and Mounts. What is wrong with them is found late, after image and
/// name: it goes into `read.late_refusal`.
void read_mounts(const nlohmann::json& host, CreateBody& read);
/// Adds an anonymous volume for each path of Volumes that has no other mount.
void read_volumes(const nlohmann::json& body, CreateBody& read);

/// What is found when image and name are known to be good: mounts, the working folder. Takes over
/// the mounts of other containers.
std::optional<Refusal> late_refusal(const SandboxEngine& engine, std::string_view name,
                                    CreateBody& read);

/// The "Mounts" of inspect and list.
void append_mounts(std::string& json, const Sandbox& sandbox);
/// Whether a mount's volume, source or destination is that.
bool has_mount(const Sandbox& sandbox, std::string_view wanted);

}  // namespace drydock::sim::docker
