#pragma once

#include <drydock/faults/campaign.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/run.hpp>
#include <drydock/scenarios/scenario.hpp>
#include <drydock/sim/backend_model.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace drydock::scenarios {

/// One run as reports tell it: what was run, on what, and what came of it.
struct TestedRun {
    std::string scenario;
    std::string backend;
    std::string client;
    RunReport report;
    std::vector<std::string> notes{};  ///< why its verdict is not what the run alone would say
    std::string file{};                ///< that replays it, where there is one
};

struct SearchOptions {
    const ClientKind& client;
    /// Run i takes backend i modulo their number.
    std::vector<const sim::BackendKind*> backends;
    const Scenario* scenario = nullptr;  ///< null: a random one per run
    std::uint64_t runs = 1000;
    std::uint64_t seed = 1;
    faults::RandomOptions chooser{};
    bool stop_at_first = true;
    /// Every so many-th run is made again from its recorded plan and must be the same; 0: none.
    std::uint64_t recheck_every = 0;
};

/// A run that broke something, and the capsule that replays it.
struct SearchFind {
    std::uint64_t index = 0;
    TestedRun run;
    Scenario capsule;
};

struct SearchReport {
    faults::CampaignReport campaign;  ///< counts; its own finds are moved to `finds`
    std::vector<SearchFind> finds;
    std::uint64_t rechecked = 0;
    /// Runs in which a legacy client broke something that it breaks without any fault too.
    std::uint64_t dismissed = 0;
};

/// Called after each run with the numbers of runs and finds; false ends the search. Clocks are the
/// caller's business.
using SearchProgress = std::function<bool(std::uint64_t runs, std::uint64_t finds)>;

/// Random plans over random scenarios, or over a given one, whose plan the drawn ones replace. Run
/// i depends on (seed, i) and nothing else.
SearchReport explore_random(const SearchOptions& options, const SearchProgress& progress = {});

/// The scenario with that run's plan and finding: what `drydock replay` takes.
Scenario capsule_of(const Scenario& scenario, const TestedRun& run);

/// Sixteen hex digits, as files and reports show a digest.
std::string digest_text(std::uint64_t digest);

/// Run i of the fixed campaign by which binaries of different compilers are compared, made twice.
struct DigestRow {
    std::uint64_t digest = 0;
    bool is_repeatable = false;
};
DigestRow digest_of_plan(std::uint64_t i, const SearchOptions& options);

}  // namespace drydock::scenarios
