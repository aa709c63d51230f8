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
/// That the process of this node acquires the leases in which its jobs run.
void check_leases(const ProcessScript& process, const Node& node);
std::vector<ProcessScript> read_processes(const Node& node);
/// If it is for these processes, an actor that one of its cancels names must be there.
faults::Plan read_plan(const Node& node, const std::vector<ProcessScript>* processes);
BackendChoice read_backend(const Node& node, std::span<const std::string> known_kinds);
/// The fields of "client": the policy and what else the process is given.
void read_client(const Node& node, Scenario& scenario);
/// Needs the processes and the backend to be read already: expectations are about them.
void read_expect(const Node& node, Scenario& scenario);
Found read_found(const Node& node);

}  // namespace drydock::scenarios
