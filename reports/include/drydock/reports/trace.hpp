#pragma once

#include <drydock/faults/site.hpp>
#include <drydock/scenarios/run.hpp>

#include <string>
#include <string_view>

namespace drydock::reports {

/// "arrived", "call_begun", ...
std::string_view name(sim::EventKind kind);

/// One event on one line, every field of it: for machines and for comparing runs.
std::string line_of(const sim::Event& event, const faults::Names& names);

/// The names that a run of this scenario with that plan had.
faults::Names names_in(const scenarios::Scenario& scenario, const faults::Plan& plan);

/// A kept trace, one event a line.
std::string trace_text(const scenarios::Scenario& scenario, const scenarios::RunReport& run);

/// Where two kept traces of what should be one run part.
std::string first_difference(const scenarios::Scenario& scenario, const scenarios::RunReport& first,
                             const scenarios::RunReport& second);

}  // namespace drydock::reports
