#pragma once

#include "runner/process_run.hpp"

#include <drydock/scenarios/history.hpp>
#include <drydock/scenarios/invariant.hpp>
#include <drydock/scenarios/run.hpp>

#include <deque>
#include <span>
#include <vector>

namespace drydock::scenarios {

// What the scripts and the steps of a run say about jobs, in order of processes, actors and steps.

/// What the clients said of jobs that had ended.
std::vector<JobClaim> claims_of(const std::deque<ProcessRun>& processes,
                                const faults::Names& names);
std::vector<JobLaunch> launches_of(const std::deque<ProcessRun>& processes,
                                   const faults::Names& names);
/// Without those that certainly did not land.
std::vector<JobInput> inputs_of(const std::deque<ProcessRun>& processes,
                                const faults::Names& names);
std::vector<JobKill> kills_of(const std::deque<ProcessRun>& processes, const faults::Names& names);
/// What each job came to, in order of their first mention.
std::vector<JobOutcome> outcomes_of(const std::deque<ProcessRun>& processes, const History& history,
                                    std::span<const sim::ProcessTruth> truths);

}  // namespace drydock::scenarios
