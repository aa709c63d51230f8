#pragma once

#include <chrono>

namespace drydock {

/// Every duration of the library. Nanoseconds, so that no conversion ever rounds.
using Duration = std::chrono::nanoseconds;

/// Monotonic time as a Runtime tells it. The library never asks a clock itself.
using Time = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// Wall-clock time as a Runtime tells it: only for what is shared between processes (the ledger,
/// labels).
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

}  // namespace drydock
