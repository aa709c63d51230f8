#pragma once

#include "engine/files.hpp"

#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// Puts the entries of a tar into a folder, one after the other. What comes before a failure stays.
/// Returns what failed, in the engine's words, or nothing. `keeps_kinds`: no folder takes the place
/// of something else, or the other way round.
std::string unpack(std::string_view tar, const std::string& folder, bool keeps_kinds, WallTime now,
                   Files& files);

}  // namespace drydock::sim::docker
