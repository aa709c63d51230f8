#pragma once

#include <drydock/time.hpp>

#include <string>
#include <string_view>

namespace drydock::faults {

/// The longest duration that files may name: sums of a few never overflow.
inline constexpr Duration max_duration = std::chrono::hours{24 * 365 * 10};

/// Reads "2s", "150ms", "1h30m", "0s": whole numbers with units h, m, s, ms, us, ns, each unit at
/// most once and in that order. Throws InputError with the reason.
Duration parse_duration(std::string_view text);

/// The one spelling of a duration, read back by parse_duration: "1h30m", "1m30s", "29900ms", "0s".
std::string format_duration(Duration duration);

/// A moment of a run, counted from its start, for people: "0.004s", "1m 30.000s", "24h 00m
/// 00.003s".
std::string format_time(Time at);

}  // namespace drydock::faults
