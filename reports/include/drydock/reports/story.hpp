#pragma once

#include <drydock/scenarios/search.hpp>

#include <string>

namespace drydock::reports {

/// A run told for people: its plan, then numbered sentences in virtual time, then what it broke.
/// The run must have kept its trace.
std::string story(const scenarios::Scenario& scenario, const scenarios::TestedRun& run);

}  // namespace drydock::reports
