#pragma once

#include <drydock/scenarios/search.hpp>
#include <drydock/sim/backends.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace drydock::scenarios {

/// A scenario and the file it was read from.
struct CorpusEntry {
    std::string file;
    Scenario scenario;
};

struct GateOptions {
    const sim::BackendRegistry& backends;
    const ClientRegistry& clients;
    std::vector<CorpusEntry> corpus;
    std::uint64_t plans = 2000;  ///< of the random campaign over the library
    std::uint64_t seed = 1;
    std::uint64_t recheck_every = 20;
};

struct GateReport {
    /// Each scenario on each of its backends: the library, then each client of `expect.legacy`. The
    /// verdict of such a client is pass if it broke exactly the invariants that it is kept for.
    std::vector<TestedRun> corpus;
    SearchReport random;
};

/// The corpus and a random campaign: what must hold before a change of the library is merged.
/// Throws faults::InputError where a scenario names a backend or client that there is not.
GateReport run_gate(const GateOptions& options, const SearchProgress& progress = {});

/// The library on that scenario and backend with its own plan and expectations.
TestedRun test_library(const Scenario& scenario, const sim::BackendKind& backend,
                       const ClientKind& library);

/// A client with a known mistake: passes if, with the scenario's plan and not without it, it breaks
/// exactly the invariants that `expect.legacy` names for it.
TestedRun test_legacy(const Scenario& scenario, const sim::BackendKind& backend,
                      const ClientKind& client);

}  // namespace drydock::scenarios
