#pragma once

#include <drydock/faults/outcome.hpp>
#include <drydock/retry.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/history.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::scenarios {

/// What a client said of a job, and when.
struct JobClaim {
    std::uint8_t process = 0;
    std::uint32_t lease = 0;
    std::string_view job;
    Time asked{};
    Time at{};
    const JobReport* report = nullptr;
};

/// When a step asked for a job.
struct JobLaunch {
    std::uint8_t process = 0;
    std::uint32_t lease = 0;
    std::string_view job;
    Time asked{};
};

/// What a step gave to a job's stdin, in one write that may have landed.
struct JobInput {
    std::uint8_t process = 0;
    std::uint32_t lease = 0;
    std::string_view job;
    std::string_view text;
    Time asked{};
};

/// A job that the scenario ends: by a kill, or by a timeout of its own.
struct JobKill {
    std::uint8_t process = 0;
    std::uint32_t lease = 0;
    std::string_view job;
};

/// What a run is judged by.
struct Judged {
    const History& history;
    const Policy& policy;
    bool has_ledger = false;     ///< the client keeps one, so its rows count
    bool is_library = false;     ///< all of `truthful_error` is asked of it
    bool has_deadlines = false;  ///< some acquire of the scenario has a limit of its own
    std::span<const std::string> expected_held{};  ///< "runner[scan-1]"
    std::span<const sim::ProcessTruth> processes{};
    std::span<const JobClaim> claims{};
    std::span<const JobLaunch> launches{};
    std::span<const JobInput> inputs{};
    std::span<const JobKill> kills{};
    bool is_stuck = false;    ///< something had not ended long after the faults stopped
    bool is_endless = false;  ///< or it did more than this scenario can ask for, and was stopped
    std::string waiting{};    ///< and what it was
};

using Violations = std::vector<faults::Violation>;

/// One rule that every run must keep. A pure function of the run's history.
struct Invariant {
    std::string_view name;
    std::string_view about;
    void (*check)(const Judged& judged, Violations& violations);
};

/// In the order in which they are listed.
std::span<const Invariant> all_invariants();

Violations judge(const Judged& judged);

}  // namespace drydock::scenarios
