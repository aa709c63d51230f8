#pragma once

#include "format/node.hpp"

#include <drydock/scenarios/scenario.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::scenarios {

/// Readers of the parts of a scenario, one file each.
ActorStep read_step(const Node& node);
/// One of run, start, wait, stdin, kill.
ActorStep read_job_step(const Node& node, std::string_view verb);
std::vector<ProcessScript> read_processes(const Node& node);
BackendChoice read_backend(const Node& node, std::span<const std::string> known_kinds);
/// The fields of "client": the policy and what else the process is given.
void read_client(const Node& node, Scenario& scenario);
/// Needs the processes and the backend to be read already: expectations are about them.
void read_expect(const Node& node, Scenario& scenario);
Found read_found(const Node& node);

}  // namespace drydock::scenarios
