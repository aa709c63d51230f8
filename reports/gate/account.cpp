#include <drydock/reports/gate.hpp>
#include <drydock/reports/story.hpp>

#include <algorithm>

namespace drydock::reports {
namespace {

using scenarios::GateOptions;
using scenarios::Scenario;
using scenarios::TestedRun;

std::vector<std::string> kinds_in(const faults::Plan& plan) {
    std::vector<std::string> kinds;
    for (const faults::PlanEntry& entry : plan.entries()) {
        std::string kind(faults::kind_name(entry.choose));
        const bool is_new = std::find(kinds.begin(), kinds.end(), kind) == kinds.end();
        if (is_new) kinds.push_back(std::move(kind));
    }
    return kinds;
}

std::vector<std::string> story_of(const TestedRun& run, const Scenario& scenario,
                                  const GateOptions& options) {
    const sim::BackendKind* backend = options.backends.find(run.backend);
    const scenarios::ClientKind* client = options.clients.find(run.client);
    if (backend == nullptr || client == nullptr) return {};
    const scenarios::RunRequest request{
        .scenario = scenario, .backend = *backend, .client = *client, .keep_trace = true};
    TestedRun again = run;
    again.report = run_plan(request, run.report.outcome.plan, false);
    return decisive_lines(scenario, again);
}

GateCase case_of(const TestedRun& run, const Scenario& scenario, const GateOptions& options) {
    const bool is_well = run.report.outcome.verdict == faults::Verdict::pass;
    return {.run = run,
            .source = scenario.source,
            .faults = kinds_in(scenario.plan),
            .story = is_well ? std::vector<std::string>() : story_of(run, scenario, options)};
}

}  // namespace

GateAccount account_of(const scenarios::GateReport& gate, const GateOptions& options) {
    const Report report = report_of(gate);
    GateAccount account{.verdict = report.verdict,
                        .plans = gate.random.campaign.runs,
                        .seed = options.seed,
                        .coverage = report.coverage.value_or(Coverage())};
    for (const TestedRun& run : gate.corpus) {
        const auto entry =
            std::find_if(options.corpus.begin(), options.corpus.end(),
                         [&](const auto& candidate) { return candidate.file == run.file; });
        if (entry == options.corpus.end()) continue;
        account.corpus.push_back(case_of(run, entry->scenario, options));
    }
    for (const scenarios::SearchFind& find : gate.random.finds) {
        account.finds.push_back(case_of(find.run, find.capsule, options));
    }
    return account;
}

}  // namespace drydock::reports
