#pragma once

#include <optional>
#include <string_view>

namespace drydock::sim::docker {

/// The number of a signal, by name in any case with or without SIG, or by number from 1 to 64.
/// "RTMIN+1" and "RTMAX-1" are names too.
std::optional<int> signal_number(std::string_view signal);

}  // namespace drydock::sim::docker
