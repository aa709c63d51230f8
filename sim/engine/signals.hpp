#pragma once

#include <drydock/sim/engine.hpp>

#include <chrono>

namespace drydock::sim {

// Linux's numbers on all its usual processors.
inline constexpr int kill_signal = 9;
inline constexpr int term_signal = 15;
inline constexpr int cont_signal = 18;
inline constexpr int stop_signal = 19;

/// The exit code of what dies of a signal is this and the signal's number.
inline constexpr int by_signal = 128;
inline constexpr int killed = by_signal + kill_signal;

/// From a signal to the end that its handler makes.
inline constexpr Duration handler_time = std::chrono::milliseconds(50);

}  // namespace drydock::sim
