#pragma once

#include "docker/create_body.hpp"

#include <optional>
#include <string_view>

namespace drydock::sim::docker {

/// Whether the `platform` of a create can be one at all.
std::optional<Refusal> refused_platform(std::string_view platform);
/// Whether an image that is there, as all are for linux/amd64, is for another platform.
std::optional<Refusal> refused_image_platform(std::string_view platform, std::string_view image);

}  // namespace drydock::sim::docker
