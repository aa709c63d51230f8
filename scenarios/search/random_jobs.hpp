#pragma once

#include <drydock/scenarios/scenario.hpp>

#include <drydock/faults/random.hpp>

#include <string>

namespace drydock::scenarios {

/// Puts jobs behind some of the acquires of an actor. No id is used for two programs, nor in two
/// acquisitions: a job is one effect.
void add_jobs(ActorScript& actor, const std::string& prefix, faults::SplitMix64& random);

/// Sometimes the first two actors, if they begin with one key, both run the same job there at once:
/// their acquires wait for the same flight, so that they get one sandbox or none.
void share_job(ProcessScript& process, faults::SplitMix64& random);

}  // namespace drydock::scenarios
