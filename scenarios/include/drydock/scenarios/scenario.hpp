#pragma once

#include <drydock/faults/plan.hpp>
#include <drydock/retry.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace drydock::scenarios {

/// How long the caller's own code takes in a scenario.
struct StagingTimes {
    Duration prepare{};
    Duration clean{};
    bool operator==(const StagingTimes&) const = default;
};

struct AcquireStep {
    std::string key;
    std::optional<StagingTimes> staging{};
    std::vector<std::string> undo{};      ///< names of undo steps, each run at most once
    std::optional<Duration> bootstrap{};  ///< there is one, and it takes so long
    std::uint32_t tries = 1;              ///< of the bootstrap, per attempt
    std::optional<Duration> deadline{};   ///< this caller's own
    bool operator==(const AcquireStep&) const = default;
};

struct HoldStep {
    Duration time{};
    bool operator==(const HoldStep&) const = default;
};

struct ReleaseStep {
    std::string key;
    bool operator==(const ReleaseStep&) const = default;
};

struct CleanupStep {
    std::string key;
    bool operator==(const CleanupStep&) const = default;
};

struct AttachStep {
    std::string key;
    bool operator==(const AttachStep&) const = default;
};

struct CloseStep {
    bool operator==(const CloseStep&) const = default;
};

/// What a job does in its sandbox.
struct JobProgram {
    Duration takes = std::chrono::seconds(1);
    std::uint32_t out = 0;  ///< bytes that it writes, evenly over its time
    std::uint32_t err = 0;
    int exit_code = 0;
    std::uint32_t reads = 0;     ///< it does not end before it was given so many bytes
    std::uint32_t children = 0;  ///< that live as long as it does
    bool ignores_term = false;
    /// Leaves a daemon behind that binds a port of its own, and overwrites its pid file (S2).
    bool is_launcher = false;
    bool operator==(const JobProgram&) const = default;
};

/// A job is started, and waited for if `waits`.
struct RunStep {
    std::string key;
    std::string job;
    JobProgram program;
    std::optional<Duration> timeout{};  ///< then it is killed
    bool waits = true;
    bool operator==(const RunStep&) const = default;
};

struct WaitStep {
    std::string key;
    std::string job;
    bool operator==(const WaitStep&) const = default;
};

struct StdinStep {
    std::string key;
    std::string job;
    std::string text;
    bool operator==(const StdinStep&) const = default;
};

struct KillStep {
    std::string key;
    std::string job;
    bool operator==(const KillStep&) const = default;
};

using ActorStep = std::variant<AcquireStep, HoldStep, ReleaseStep, CleanupStep, AttachStep,
                               CloseStep, RunStep, WaitStep, StdinStep, KillStep>;

/// One flow of calls of a process.
struct ActorScript {
    std::string name;
    std::vector<ActorStep> steps;
    bool operator==(const ActorScript&) const = default;
};

/// One client program: a crash domain. Its name is its leases' owner.
struct ProcessScript {
    std::string name;
    std::vector<ActorScript> actors;
    bool operator==(const ProcessScript&) const = default;
};

struct BackendChoice {
    std::vector<std::string> kinds;  ///< the scenario runs on each
    bool operator==(const BackendChoice&) const = default;
};

/// What a run must come to. Absent parts are not asked for.
struct Expectation {
    std::string verdict = "pass";  ///< pass or violation
    std::map<std::string, std::string>
        steps{};                      ///< "runner/main#1" -> "ok", "error:KIND", "skipped"
    std::vector<std::string> held{};  ///< "runner[scan-1]"
    std::map<std::string, std::vector<std::string>>
        legacy{};  ///< client -> the invariants it breaks
    bool operator==(const Expectation&) const = default;
};

/// What a search found: makes a scenario a capsule.
struct Found {
    std::string client;
    std::string invariant;
    std::string subject;
    std::string digest;  ///< sixteen hex digits
    bool operator==(const Found&) const = default;
};

/// Who does what, on which backend, under which policy and plan. Format drydock.scenario/1.
struct Scenario {
    std::string name;
    std::string about;
    std::string source;
    BackendChoice backend;
    Policy client;
    Duration restart_after = std::chrono::seconds(1);
    std::vector<ProcessScript> processes;
    faults::Plan plan{};
    Expectation expect{};
    std::map<std::string, Expectation> expect_by_kind{};  ///< whole overrides, by backend kind
    std::optional<Found> found{};

    const Expectation& expectation_on(const std::string& kind) const;
};

}  // namespace drydock::scenarios
