#include <drydock/reports/story.hpp>

#include "story/repeats.hpp"
#include "story/teller.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/scenarios/invariant.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace drydock::reports {
namespace {

bool holds(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

std::string plan_text(const faults::Outcome& outcome) {
    if (outcome.plan.empty()) return "The plan is empty: no fault.\n";
    std::string text = "The plan:\n";
    for (const faults::PlanEntry& entry : outcome.plan.entries()) {
        const std::string site = faults::to_string(entry.at);
        const bool is_unknown = holds(outcome.unknown_sites, site);
        fmt::format_to(std::back_inserter(text), "    {}  {}{}{}\n", site,
                       faults::to_string(entry.choose),
                       entry.sticky ? ", from then on until the faults stop" : "",
                       is_unknown                   ? " (did not come up)"
                       : holds(outcome.inert, site) ? " (without effect)"
                                                    : "");
    }
    return text;
}

// Where the story says that this rule broke.
std::size_t number_of(const std::vector<Sentence>& sentences, const faults::Violation& violation) {
    const std::string said = broken_text(violation);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const std::string_view text = sentences[i].text;
        const bool is_it = sentences[i].at == violation.since && text.starts_with(said);
        if (is_it && (text.size() == said.size() || text[said.size()] == ':')) return i + 1;
    }
    return 0;
}

std::string_view rule_of(const std::string& invariant) {
    for (const scenarios::Invariant& each : scenarios::all_invariants()) {
        if (each.name == invariant) return each.about;
    }
    return "";
}

std::string end_text(const scenarios::TestedRun& run, const std::vector<Sentence>& sentences) {
    std::string text;
    std::string_view ruled;  // violations of one rule stand together
    const faults::Outcome& outcome = run.report.outcome;
    for (const faults::Violation& violation : outcome.violations) {
        const std::size_t number = number_of(sentences, violation);
        fmt::format_to(std::back_inserter(text), "BROKEN {}{}: {}: {}\n", violation.invariant,
                       number == 0 ? "" : fmt::format(" at {}", number), violation.subject,
                       violation.story);
        const std::string_view rule = rule_of(violation.invariant);
        const bool is_said = ruled == violation.invariant;
        ruled = violation.invariant;
        if (!rule.empty() && !is_said)
            fmt::format_to(std::back_inserter(text), "    the rule: {}\n", rule);
    }
    for (const std::string& unmet : run.report.unmet)
        text += "NOT MET " + unmet + "\n";
    for (const std::string& defect : run.report.defects)
        text += "DEFECT " + defect + "\n";
    if (text.empty()) text = "No invariant is broken.\n";
    return text;
}

std::string line_of(std::size_t number, const Sentence& sentence) {
    return fmt::format("{:4}. {:>11}  {}", number, faults::format_time(sentence.at), sentence.text);
}

std::string existing_text(const std::vector<std::string>& existing, Time end) {
    if (existing.empty()) return "In the end nothing of ours exists.\n";
    std::string text = fmt::format("In the end, at {}:\n", faults::format_time(end));
    for (const std::string& sentence : existing)
        text += "    " + sentence + "\n";
    return text;
}

}  // namespace

std::string story(const scenarios::Scenario& scenario, const scenarios::TestedRun& run) {
    std::string text = fmt::format("{} on {}, client {}\n", run.scenario, run.backend, run.client);
    if (!scenario.about.empty()) text += "    " + scenario.about + "\n";
    text += plan_text(run.report.outcome);
    text += "What happened, in virtual time:\n";
    Teller teller(scenario, run.report);
    const std::vector<Sentence> sentences = without_repeats(teller.tell());
    for (std::size_t i = 0; i < sentences.size(); ++i)
        text += line_of(i + 1, sentences[i]) + "\n";
    text += existing_text(teller.existing(), run.report.end);
    return text + end_text(run, sentences);
}

std::vector<std::string> decisive_lines(const scenarios::Scenario& scenario,
                                        const scenarios::TestedRun& run) {
    std::vector<std::string> lines;
    const std::vector<Sentence> sentences = without_repeats(Teller(scenario, run.report).tell());
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        if (sentences[i].is_decisive) lines.push_back(line_of(i + 1, sentences[i]));
    }
    return lines;
}

}  // namespace drydock::reports
