#pragma once

#include <drydock/time.hpp>

#include <chrono>

namespace drydock::cli {

/// Real time since it was made: for budgets, progress and statistics, never for a run.
class Stopwatch {
public:
    Duration elapsed() const { return std::chrono::steady_clock::now() - start_; }
    double seconds() const { return std::chrono::duration<double>(elapsed()).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace drydock::cli
