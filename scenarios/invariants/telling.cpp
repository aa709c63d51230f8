#include "invariants/invariants.hpp"

#include <fmt/format.h>

namespace drydock::scenarios {

std::string at_time(Time at) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
    const auto minutes = ms.count() / 60000;
    const double seconds = static_cast<double>(ms.count() % 60000) / 1000.0;
    return minutes > 0 ? fmt::format("{}m {:.3f}s", minutes, seconds)
                       : fmt::format("{:.3f}s", seconds);
}

std::string describe(const History& history, const SandboxLife& life) {
    return fmt::format("sandbox {} of {} (attempt {})", life.truth->number,
                       history.lease_name(life.process, life.lease), life.truth->attempt);
}

}  // namespace drydock::scenarios
