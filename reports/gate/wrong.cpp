#include "gate/wrong.hpp"

#include <fmt/format.h>

namespace drydock::reports {

using faults::Verdict;
using scenarios::TestedRun;

namespace {

void add(std::vector<std::string>& lines, const char* title, const std::vector<std::string>& more) {
    for (const std::string& line : more)
        lines.push_back(title + line);
}

std::vector<std::string> broken_rules(const faults::Outcome& outcome) {
    std::vector<std::string> lines;
    for (const faults::Violation& violation : outcome.violations) {
        lines.push_back(
            fmt::format("{}: {}: {}", violation.invariant, violation.subject, violation.story));
    }
    return lines;
}

}  // namespace

std::string title_of(const TestedRun& run) {
    return fmt::format("{} on {}, {}", run.scenario, run.backend, run.client);
}

std::vector<std::string> wrong_with(const TestedRun& run) {
    const faults::Outcome& outcome = run.report.outcome;
    std::vector<std::string> lines;
    if (outcome.verdict == Verdict::pass) return lines;
    const std::vector<std::string> broken = broken_rules(outcome);
    // Of a client that is kept for what it breaks, the breaking itself is not what is wrong.
    const bool is_first = outcome.verdict == Verdict::violation;
    if (is_first) lines = broken;
    add(lines, "not met: ", run.report.unmet);
    add(lines, "defect: ", run.report.defects);
    add(lines, "", run.notes);
    if (!is_first) add(lines, "", broken);
    if (outcome.verdict == Verdict::void_) {
        add(lines, "without effect: ", outcome.inert);
        add(lines, "did not come up: ", outcome.unknown_sites);
    }
    return lines;
}

}  // namespace drydock::reports
