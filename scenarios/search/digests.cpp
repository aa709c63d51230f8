#include <drydock/faults/random_chooser.hpp>
#include <drydock/scenarios/random_scenario.hpp>
#include <drydock/scenarios/search.hpp>

namespace drydock::scenarios {

DigestRow digest_of_plan(std::uint64_t i, const SearchOptions& options) {
    const sim::BackendKind& backend = *options.backends[i % options.backends.size()];
    const std::uint64_t seed = faults::seed_of(options.seed, i);
    const Scenario scenario = random_scenario(seed, backend.name);
    const auto once = [&] {
        faults::Names names = names_of(scenario);
        faults::RandomChooser chooser(seed, options.chooser);
        return run({scenario, backend, options.client}, chooser, names).outcome.digest;
    };
    const std::uint64_t first = once();
    const std::uint64_t second = once();
    return {first, first == second};
}

}  // namespace drydock::scenarios
