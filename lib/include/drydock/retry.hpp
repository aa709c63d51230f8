#pragma once

#include <drydock/error.hpp>
#include <drydock/time.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace drydock {

/// How an operation may be repeated.
enum class RetryClass : std::uint8_t {
    read,        ///< no effect: repeat freely
    convergent,  ///< by id, repeat until the state is reached
    keyed,       ///< under the same name or key; a conflict with one's own is success
    once,        ///< never repeat on `unknown`
};

RetryClass retry_class(Operation operation);

/// True for kinds that another try may cure.
bool is_transient(ErrorKind kind);

/// True if an exchange of that class that failed so may be repeated in place, under the same
/// attempt and name. The one pure function that decides it.
bool may_repeat(RetryClass retry, ErrorKind kind, Landed landed);

/// base, base * factor, base * factor^2, ... at most `ceiling`; each shortened by up to the share
/// `jitter` of itself, drawn from the Runtime's random bits.
struct Exponential {
    Duration base = std::chrono::seconds(2);
    std::uint32_t factor = 2;
    Duration ceiling = std::chrono::minutes(5);
    double jitter = 0;
};

/// Exactly these delays, the last one again for any further (druks ENG-822: 60 s, 300 s).
using ExplicitDelays = std::vector<Duration>;

using Backoff = std::variant<Exponential, ExplicitDelays>;

/// The delay after try `tries_made` (from 1). An empty explicit list delays nothing.
Duration delay_after(const Backoff& backoff, std::uint32_t tries_made, std::uint64_t random_bits);

/// Limits of a manager's work. Durations are positive.
struct Policy {
    std::uint32_t attempts = 3;  ///< per acquire, and tries in place of one ambiguous exchange
    Backoff backoff = Exponential{};
    Duration request_timeout = std::chrono::seconds(30);  ///< one exchange
    Duration ready_timeout = std::chrono::seconds(60);    ///< from start to ready, one attempt
    Duration teardown_deadline = std::chrono::seconds(60);
    /// The whole of an acquire, teardown included: its reserve is carved out first.
    std::optional<Duration> deadline{};
    Duration late_horizon = std::chrono::minutes(10);  ///< after it, a create given up cannot land
    Duration late_watch = std::chrono::seconds(15);    ///< between two looks for one that may
    Duration settle = std::chrono::milliseconds(500);  ///< between two looks at a changing sandbox
    /// A followed job's stream without even a sign of life counts as broken. Guards give one about
    /// every 10 s.
    Duration job_idle = std::chrono::seconds(30);
    std::uint32_t job_reconnects = 5;  ///< in a row without a sign of life, with `backoff`
};

/// What of DRYDOCK_START_ATTEMPTS to use: the value where it is an integer of at least 1, else the
/// default, with a warning to show. The environment itself is read by the program, not here (S1).
struct AttemptsSetting {
    std::uint32_t attempts = 3;
    std::string warning{};
};
AttemptsSetting attempts_from(std::optional<std::string_view> text);

}  // namespace drydock
