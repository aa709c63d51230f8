#pragma once

#include <drydock/time.hpp>

namespace drydock::sim {

/// What a simulated wall clock shows at the world's Time{}: 2026-01-01T00:00:00Z, so that no run
/// depends on the day.
inline constexpr WallTime simulated_start{std::chrono::seconds(1767225600)};

}  // namespace drydock::sim
