#pragma once

#include <drydock/scenarios/scenario.hpp>

#include <cstdint>
#include <string>

namespace drydock::scenarios {

/// What random search runs when it is given no scenario: two programs of two actors and one, that
/// acquire, share, hold, attach to, release and clean up the leases k1 and k2 in an order drawn
/// from the seed, and run jobs in them in every other scenario. Every actor ends with a cleanup of
/// every key, so that nothing is held at the end.
Scenario random_scenario(std::uint64_t seed, const std::string& backend_kind);

}  // namespace drydock::scenarios
