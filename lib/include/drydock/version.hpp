#pragma once

#include <string_view>

namespace drydock {

// The build system reads the version from this line.
inline constexpr std::string_view version = "0.1.0";

}  // namespace drydock
