#pragma once

#include <optional>
#include <string_view>

namespace drydock::sim::docker {

/// The signal of that name (with or without SIG, in any case) or number.
std::optional<int> signal_number(std::string_view text);

}  // namespace drydock::sim::docker
