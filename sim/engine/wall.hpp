#pragma once

#include <drydock/time.hpp>

#include <cstdint>

namespace drydock::sim {

/// What an engine's wall clock shows at the world's Time{}: 2026-01-01T00:00:00Z.
inline constexpr std::int64_t wall_start = 1767225600;

constexpr std::int64_t wall_milliseconds(Time at) {
    return wall_start * 1000 + at.time_since_epoch() / std::chrono::milliseconds(1);
}

}  // namespace drydock::sim
