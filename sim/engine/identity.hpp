#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace drydock::sim {

/// 64 hex digits that depend on the parts alone: equal on every compiler and machine.
std::string hex_digest(std::initializer_list<std::string_view> parts);

/// Where the host keeps the files of a sandbox.
std::string layer_folder(std::string_view sandbox_id);

}  // namespace drydock::sim
