#pragma once

#include <drydock/scenarios/run.hpp>

namespace drydock::scenarios {

/// What of `expect` the run did not come to, told for people. The verdict and the legacy clients'
/// invariants are the gate's to compare.
std::vector<std::string> unmet_expectations(const Expectation& expect, const RunReport& report);

}  // namespace drydock::scenarios
