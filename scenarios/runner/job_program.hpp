#pragma once

#include <drydock/scenarios/scenario.hpp>

#include <string>
#include <vector>

namespace drydock::scenarios {

/// The command line of a scenario's job, as the simulated sandboxes know it: `drydock-job` and one
/// `name=value` for each thing that is not as usual (sim/engine/job_program.hpp reads it).
std::vector<std::string> argv_of(const JobProgram& program);

}  // namespace drydock::scenarios
