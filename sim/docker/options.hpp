#pragma once

#include "docker/create_body.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// Keeps those values of a create that nothing here depends on but that inspect shows.
void read_config_options(const nlohmann::json& body, CreateBody& read);
void read_host_options(const nlohmann::json& host, CreateBody& read);

/// `object` with the options in place of its defaults; both are JSON objects.
std::string with_options(std::string_view object, std::string_view options);

}  // namespace drydock::sim::docker
