#pragma once

#include <drydock/scenarios/search.hpp>

#include <string>
#include <vector>

namespace drydock::reports {

/// "strix-768-teardown-fails on docker, library".
std::string title_of(const scenarios::TestedRun& run);

/// What is wrong with a run, what decides first, a line each; empty if it is as it should be.
std::vector<std::string> wrong_with(const scenarios::TestedRun& run);

}  // namespace drydock::reports
