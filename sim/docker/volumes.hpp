#pragma once

#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// The folder on the host in which a volume's content lies.
std::string mount_point_of(std::string_view volume);

}  // namespace drydock::sim::docker
