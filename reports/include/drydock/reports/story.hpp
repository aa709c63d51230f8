#pragma once

#include <drydock/scenarios/search.hpp>

#include <string>
#include <vector>

namespace drydock::reports {

/// A run told for people: its plan, then numbered sentences in virtual time, then what exists in
/// the end and what it broke. The run must have kept its trace.
std::string story(const scenarios::Scenario& scenario, const scenarios::TestedRun& run);

/// The sentences of the story that say what went wrong: what the plan chose, what was lost, how
/// calls failed and where rules broke. With their numbers and times.
std::vector<std::string> decisive_lines(const scenarios::Scenario& scenario,
                                        const scenarios::TestedRun& run);

}  // namespace drydock::reports
