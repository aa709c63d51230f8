#include <drydock/scenarios/gate.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace drydock::scenarios {
namespace {

using faults::Verdict;
using NameSet = std::set<std::string>;

NameSet broken_by(const RunReport& report) {
    NameSet broken;
    for (const faults::Violation& violation : report.outcome.violations) {
        broken.insert(violation.invariant);
    }
    return broken;
}

std::string listed(const NameSet& names) {
    return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

TestedRun test_library(const Scenario& scenario, const sim::BackendKind& backend,
                       const ClientKind& library) {
    return {scenario.name, backend.name, library.name,
            run_plan({scenario, backend, library}, scenario.plan, true)};
}

TestedRun test_legacy(const Scenario& scenario, const sim::BackendKind& backend,
                      const ClientKind& client) {
    const RunRequest request{scenario, backend, client};
    TestedRun tested{scenario.name, backend.name, client.name,
                     run_plan(request, scenario.plan, false)};
    const auto& wanted = scenario.expectation_on(backend.name).legacy.at(client.name);
    const NameSet expected(wanted.begin(), wanted.end());
    const NameSet broken = broken_by(tested.report);
    if (broken != expected) {
        tested.notes.push_back(
            fmt::format("was to break {}, broke {}", listed(expected), listed(broken)));
    }
    if (!scenario.plan.empty() && !broken.empty()) {
        const NameSet anyway = broken_by(run_plan(request, faults::Plan(), false));
        if (!anyway.empty()) {
            tested.notes.push_back("breaks " + listed(anyway) + " without any fault too");
        }
    }
    if (tested.report.outcome.is_void) tested.notes.emplace_back("no choice had an effect");
    tested.report.outcome.verdict = tested.notes.empty() ? Verdict::pass : Verdict::expectation;
    return tested;
}

}  // namespace drydock::scenarios
