#include <drydock/reports/story.hpp>

#include "story/repeats.hpp"
#include "story/teller.hpp"

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

std::string end_text(const scenarios::TestedRun& run) {
    std::string text;
    const faults::Outcome& outcome = run.report.outcome;
    for (const faults::Violation& violation : outcome.violations) {
        fmt::format_to(std::back_inserter(text), "BROKEN {}: {}: {}\n", violation.invariant,
                       violation.subject, violation.story);
    }
    for (const std::string& unmet : run.report.unmet)
        text += "NOT MET " + unmet + "\n";
    for (const std::string& defect : run.report.defects)
        text += "DEFECT " + defect + "\n";
    if (text.empty()) text = "No invariant is broken.\n";
    return text;
}

}  // namespace

std::string story(const scenarios::Scenario& scenario, const scenarios::TestedRun& run) {
    std::string text = fmt::format("{} on {}, client {}\n", run.scenario, run.backend, run.client);
    text += plan_text(run.report.outcome);
    text += "What happened, in virtual time:\n";
    int number = 0;
    for (const Sentence& sentence : without_repeats(Teller(scenario, run.report).tell())) {
        fmt::format_to(std::back_inserter(text), "{:4}. {:>11}  {}\n", ++number,
                       at_time(sentence.at), sentence.text);
    }
    return text + end_text(run);
}

}  // namespace drydock::reports
