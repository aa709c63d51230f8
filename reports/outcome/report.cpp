#include <drydock/reports/report.hpp>

#include <array>
#include <utility>

namespace drydock::reports {
namespace {

using faults::Verdict;

// By Verdict's order: pass, violation, expectation, void_, nondeterministic.
constexpr std::array<int, 5> severities{0, 3, 2, 1, 4};

int severity(Verdict verdict) { return severities.at(static_cast<std::size_t>(verdict)); }

void add(Coverage& sum, const scenarios::SearchReport& search) {
    sum.void_runs += search.campaign.void_runs;
    sum.inert_choices += search.campaign.inert_choices;
    sum.dismissed += search.dismissed;
    sum.rechecked += search.rechecked;
    for (const auto& [kind, count] : search.campaign.choices_by_kind) {
        sum.choices_by_kind[kind] += count;
    }
}

}  // namespace

Verdict worse(Verdict a, Verdict b) { return severity(a) < severity(b) ? b : a; }

void add(Report& report, scenarios::TestedRun run) {
    ++report.runs;
    report.verdict = worse(report.verdict, run.report.outcome.verdict);
    report.results.push_back(std::move(run));
}

void add(Report& report, scenarios::SearchReport search) {
    if (!report.coverage) report.coverage.emplace();
    add(*report.coverage, search);
    // Random search never closes anything.
    report.is_closure_complete = false;
    report.runs += search.campaign.runs;
    for (scenarios::SearchFind& find : search.finds) {
        report.verdict = worse(report.verdict, find.run.report.outcome.verdict);
        report.results.push_back(std::move(find.run));
    }
    // A search of which every run was void has shown nothing.
    const bool is_void =
        search.campaign.runs > 0 && search.campaign.void_runs == search.campaign.runs;
    if (is_void) report.verdict = worse(report.verdict, Verdict::void_);
}

Report report_of(scenarios::GateReport gate) {
    Report report;
    for (scenarios::TestedRun& run : gate.corpus)
        add(report, std::move(run));
    add(report, std::move(gate.random));
    return report;
}

}  // namespace drydock::reports
