#include <drydock/reports/console.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iterator>
#include <set>

namespace drydock::reports {
namespace {

using faults::Verdict;
using scenarios::TestedRun;

// By Verdict's order: pass, violation, expectation, void_, nondeterministic.
constexpr std::array<int, 5> colors{32, 31, 31, 33, 35};

std::string word(Verdict verdict, const ConsoleOptions& options) {
    std::string text = fmt::format("{:<11}", name(verdict));
    if (!options.has_color) return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", colors.at(static_cast<std::size_t>(verdict)), text);
}

void add_lines(std::string& text, std::string_view title, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        fmt::format_to(std::back_inserter(text), "    {}: {}\n", title, line);
    }
}

// What failed is shown with the errors of its steps: they say what the client itself saw.
void add_errors(std::string& text, const scenarios::RunReport& report) {
    for (const auto& [name, step] : report.steps) {
        if (step.description.empty()) continue;
        fmt::format_to(std::back_inserter(text), "    {}: {}\n", name, step.description);
    }
}

// A client that is kept for its mistake passes by making it: its names are enough then.
void add_violations(std::string& text, const faults::Outcome& outcome, bool is_well) {
    if (is_well) {
        std::set<std::string> names;
        for (const auto& violation : outcome.violations)
            names.insert(violation.invariant);
        if (names.empty()) return;
        fmt::format_to(std::back_inserter(text), "    broke, as expected: {}\n",
                       fmt::join(names, ", "));
        return;
    }
    for (const faults::Violation& violation : outcome.violations) {
        fmt::format_to(std::back_inserter(text), "    {}: {}: {}\n", violation.invariant,
                       violation.subject, violation.story);
    }
}

void add_coverage(std::string& text, const Coverage& coverage) {
    fmt::format_to(std::back_inserter(text), "searched    {} runs void, {} choices inert",
                   coverage.void_runs, coverage.inert_choices);
    if (coverage.dismissed > 0) {
        fmt::format_to(std::back_inserter(text), ", {} dismissed as broken without faults too",
                       coverage.dismissed);
    }
    if (coverage.rechecked > 0) {
        fmt::format_to(std::back_inserter(text), ", {} made twice", coverage.rechecked);
    }
    text += "\n";
    std::vector<std::string> kinds;
    kinds.reserve(coverage.choices_by_kind.size());
    for (const auto& [kind, count] : coverage.choices_by_kind) {
        kinds.push_back(fmt::format("{} {}", kind, count));
    }
    if (!kinds.empty()) {
        fmt::format_to(std::back_inserter(text), "choices     {}\n", fmt::join(kinds, ", "));
    }
}

}  // namespace

std::string told(const TestedRun& run, const ConsoleOptions& options) {
    const faults::Outcome& outcome = run.report.outcome;
    const bool is_well = outcome.verdict == Verdict::pass;
    if (is_well && options.is_quiet) return {};
    std::string text = fmt::format("{} {} on {}, {}\n", word(outcome.verdict, options),
                                   run.scenario, run.backend, run.client);
    add_violations(text, outcome, is_well);
    add_lines(text, "not met", run.report.unmet);
    add_lines(text, "defect", run.report.defects);
    add_lines(text, "note", run.notes);
    if (!is_well) add_errors(text, run.report);
    add_lines(text, "without effect", outcome.inert);
    add_lines(text, "did not come up", outcome.unknown_sites);
    return text;
}

std::string told(const Report& report, const ConsoleOptions& options) {
    std::string text;
    for (const TestedRun& run : report.results)
        text += told(run, options);
    if (options.is_quiet) return text;
    if (report.coverage) add_coverage(text, *report.coverage);
    fmt::format_to(std::back_inserter(text), "{} {} {}\n", word(report.verdict, options),
                   report.runs, report.runs == 1 ? "run" : "runs");
    return text;
}

}  // namespace drydock::reports
