#include <drydock/scenarios/random_scenario.hpp>
#include <drydock/scenarios/search.hpp>

#include <cassert>
#include <utility>

namespace drydock::scenarios {
namespace {

using faults::Verdict;

class Search {
public:
    explicit Search(const SearchOptions& options) : options_(options) {
        assert(!options.backends.empty());
    }

    SearchReport search(const SearchProgress& progress) {
        const faults::RandomCampaign campaign(
            [this](faults::Chooser& chooser) { return run_one(chooser); },
            {.runs = options_.runs,
             .seed = options_.seed,
             .chooser = options_.chooser,
             .stop_at_first = options_.stop_at_first});
        report_.campaign = campaign.search([&](const faults::CampaignReport& so_far) {
            return !progress || progress(so_far.runs, report_.finds.size());
        });
        report_.campaign.finds.clear();
        return std::move(report_);
    }

private:
    faults::Outcome run_one(faults::Chooser& chooser) {
        const std::uint64_t index = next_++;
        const sim::BackendKind& backend = *options_.backends[index % options_.backends.size()];
        if (options_.scenario != nullptr) {
            return run_one(index, *options_.scenario, backend, chooser);
        }
        const std::uint64_t seed = faults::seed_of(options_.seed, index);
        return run_one(index, random_scenario(seed, backend.name), backend, chooser);
    }

    faults::Outcome run_one(std::uint64_t index, const Scenario& scenario,
                            const sim::BackendKind& backend, faults::Chooser& chooser) {
        const RunRequest request{scenario, backend, options_.client, &pool_};
        faults::Names names = names_of(scenario);
        TestedRun tested{scenario.name, backend.name, options_.client.name,
                         run(request, chooser, names)};
        faults::Outcome& outcome = tested.report.outcome;
        if (options_.recheck_every > 0 && index % options_.recheck_every == 0) {
            recheck(request, tested);
        }
        if (outcome.verdict == Verdict::violation && !counts(request)) {
            ++report_.dismissed;
            outcome.verdict = Verdict::pass;
        }
        faults::Outcome result = outcome;
        if (result.verdict != Verdict::pass && result.verdict != Verdict::void_) {
            Scenario capsule = capsule_of(scenario, tested);
            report_.finds.push_back({index, std::move(tested), std::move(capsule)});
        }
        return result;
    }

    void recheck(const RunRequest& request, TestedRun& tested) {
        ++report_.rechecked;
        faults::Outcome& outcome = tested.report.outcome;
        const RunReport again = run_plan(request, outcome.plan, false);
        if (again.outcome.digest == outcome.digest) return;
        tested.notes.push_back("digest " + digest_text(outcome.digest) +
                               "; made again from its plan: " + digest_text(again.outcome.digest));
        outcome.verdict = Verdict::nondeterministic;
    }

    // What a client with a known mistake breaks without any fault shows nothing about the faults.
    bool counts(const RunRequest& request) const {
        if (request.client.name == library_client) return true;
        return run_plan(request, faults::Plan(), false).outcome.violations.empty();
    }

    const SearchOptions& options_;
    sim::Pool pool_;
    std::uint64_t next_ = 0;
    SearchReport report_;
};

}  // namespace

SearchReport explore_random(const SearchOptions& options, const SearchProgress& progress) {
    return Search(options).search(progress);
}

}  // namespace drydock::scenarios
