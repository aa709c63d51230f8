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

using ActorStep =
    std::variant<AcquireStep, HoldStep, ReleaseStep, CleanupStep, AttachStep, CloseStep>;

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
