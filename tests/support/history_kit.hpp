// Histories made by hand, to judge.
#pragma once

#include <drydock/scenarios/invariant.hpp>

#include <chrono>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace drydock::test {

/// `seconds` after the run's start.
inline Time at(double seconds) {
    return Time{} + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

/// A history that keeps every invariant, to be changed: `runner` acquires `k` in the first second,
/// holds its only sandbox until 41 s, releases it, and ends at 50 s.
class MadeHistory {
public:
    static constexpr std::uint8_t runner = 0;
    static constexpr std::uint8_t other = 1;
    static constexpr std::uint32_t k = 1;
    static constexpr std::uint32_t other_lease = 2;

    MadeHistory();
    MadeHistory(const MadeHistory&) = delete;
    MadeHistory& operator=(const MadeHistory&) = delete;

    /// One more sandbox of the lease; its create was applied at `from`, and answered.
    scenarios::SandboxLife& add_sandbox(double from, double to);
    /// The truth about it, to be changed.
    sim::SandboxTruth& truth_of(const scenarios::SandboxLife& life);
    scenarios::Call& add_call(scenarios::CallKind kind, double from, double to);
    scenarios::RowSpan& add_row(std::uint32_t attempt, double from, double to);
    scenarios::Step& add_step(Operation operation, double from, double to,
                              std::uint32_t subject = 0);
    /// Sent by id at `from`, accepted at once, gone at the sandbox's end.
    void remove(scenarios::SandboxLife& life, double from);

    /// A job in the sandbox, which ran from `from` to `to` and wrote 20 bytes.
    sim::ProcessTruth& add_job(std::string job, double from, double to);
    void add_claim(std::string_view job, double when, const scenarios::JobReport& report,
                   double asked = 5);

    scenarios::Violations violations() const;
    /// The invariants that it breaks.
    std::set<std::string> broken() const;

    scenarios::History history;
    Policy policy;
    bool has_ledger = true;
    bool is_library = true;
    bool is_stuck = false;
    bool is_endless = false;
    std::vector<std::string> expected_held;
    std::vector<sim::ProcessTruth> processes;    ///< none
    std::vector<scenarios::JobClaim> claims;     ///< none
    std::vector<scenarios::JobLaunch> launches;  ///< none
    std::vector<scenarios::JobInput> inputs;     ///< none
    std::vector<scenarios::JobKill> kills;       ///< none

    // Of the fine history.
    scenarios::SandboxLife& sandbox() { return history.sandboxes[0]; }
    scenarios::Call& acquire() { return history.calls[0]; }
    scenarios::Call& release() { return history.calls[1]; }
    scenarios::RowSpan& row() { return history.rows[0]; }

private:
    faults::Names names_;
    std::deque<sim::SandboxTruth> truths_;
};

}  // namespace drydock::test
