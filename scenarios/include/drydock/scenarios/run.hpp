#pragma once

#include <drydock/faults/chooser.hpp>
#include <drydock/faults/outcome.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/scenario.hpp>
#include <drydock/sim/backend_model.hpp>
#include <drydock/sim/pool.hpp>
#include <drydock/sim/trace.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace drydock::scenarios {

/// One run: a pure function of these.
struct RunRequest {
    const Scenario& scenario;
    const sim::BackendKind& backend;
    const ClientKind& client;
    sim::Pool* pool = nullptr;  ///< memory kept from run to run; never changes the outcome
    bool keep_trace = false;    ///< for a story or a comparison
};

/// How one step of an actor ended.
struct StepReport {
    std::string outcome;      ///< "ok", "error:KIND", "skipped", "crashed" or "unended"
    std::string description;  ///< of the error
};

/// What a job truly came to, and what the client said of it.
struct JobOutcome {
    struct Bytes {
        std::uint64_t written = 0;
        std::optional<std::uint64_t> reported{};  ///< nothing: none were said to be all
    };

    std::string lease;               ///< "runner[scan-1]"
    std::string job;                 ///< its id
    std::size_t runs = 0;            ///< how often it took effect
    std::optional<int> exit_code{};  ///< of the last time; nothing while it runs
    std::string reported{
        "nothing"};  ///< last: "code 3", "killed", "unknown", "not begun" or "error:KIND"
    Bytes out{};
    Bytes err{};
};

struct RunReport {
    faults::Outcome outcome;
    std::map<std::string, StepReport> steps;  ///< by "runner/main#1"
    std::vector<JobOutcome> jobs;
    std::vector<std::string> unmet;    ///< expectations that were not met
    std::vector<std::string> defects;  ///< what clients reported of themselves
    std::vector<std::string> held;     ///< "runner[scan-1]": held at the end
    std::size_t sandboxes = 0;
    std::size_t removed = 0;
    std::size_t events = 0;  ///< in the trace
    Time end{};
    std::vector<sim::Event> trace;         ///< only if kept
    std::vector<sim::SandboxTruth> truth;  ///< only if kept
};

/// The scenario's names, numbered in the order in which it mentions them. Every run starts with
/// these, so that digests do not depend on what a plan names first.
faults::Names names_of(const Scenario& scenario);

/// Runs the scenario once on that backend and judges it. `chooser` decides every uncertain thing;
/// `names` are the scenario's, and the ones that the chooser was made with.
///
/// The order of things: all actors to their ends, each process closed and ended (a process that
/// still holds a sandbox stays); then the faults stop, each process with obligations is started
/// once more and only recovers; then time passes until nothing is left to do.
RunReport run(const RunRequest& request, faults::Chooser& chooser, faults::Names& names);

/// The same with the scenario's own plan, or another. Compares with `expect` if
/// `with_expectations`.
RunReport run_plan(const RunRequest& request, const faults::Plan& plan, bool with_expectations);

}  // namespace drydock::scenarios
