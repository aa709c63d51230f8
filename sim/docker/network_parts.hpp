#pragma once

#include <drydock/sim/sandbox.hpp>

#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// Ids, addresses and ports last as long as the container runs.
bool has_endpoint(const Sandbox& sandbox);
bool has_address(const Sandbox& sandbox);

/// {"80/tcp":[{"HostIp":...,"HostPort":...}],"81/tcp":null} of an inspect.
void append_port_map(std::string& json, const Sandbox& sandbox);
/// [{"IP":...,"PrivatePort":...,"PublicPort":...,"Type":...}] of a list.
void append_port_list(std::string& json, const Sandbox& sandbox);

/// Empty unless it runs.
std::string endpoint_id(const Sandbox& sandbox);
/// `,"Gateway":...` to `"MacAddress":...`, in the order of NetworkSettings itself and in that of
/// one of its networks.
void append_settings_address(std::string& json, const Sandbox& sandbox);
void append_network_address(std::string& json, const Sandbox& sandbox);
/// {"none":{...}}: the one network that a container is in.
void append_networks(std::string& json, const Sandbox& sandbox, std::string_view endpoint);

}  // namespace drydock::sim::docker
