#include "runner/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

const Expectation& Scenario::expectation_on(const std::string& backend_kind) const {
    const auto override_on_it = expect_by_kind.find(backend_kind);
    return override_on_it == expect_by_kind.end() ? expect : override_on_it->second;
}

std::vector<std::string> unmet_expectations(const Expectation& expect, const RunReport& report) {
    std::vector<std::string> unmet;
    for (const auto& [step, outcome] : expect.steps) {
        const auto found = report.steps.find(step);
        const std::string_view got =
            found == report.steps.end() ? std::string_view("no such step") : found->second.outcome;
        if (got != outcome) {
            unmet.push_back(fmt::format("step {}: expected {}, got {}", step, outcome, got));
        }
    }
    for (const std::string& held : expect.held) {
        if (std::find(report.held.begin(), report.held.end(), held) == report.held.end()) {
            unmet.push_back(fmt::format("{} was expected to be held at the end", held));
        }
    }
    return unmet;
}

}  // namespace drydock::scenarios
