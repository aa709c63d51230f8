#pragma once

#include <drydock/scenarios/scenario.hpp>

#include <cstdint>

namespace drydock::scenarios {

/// What a run is stopped at, and taken for one that never ends.
struct Bounds {
    std::uint64_t operations = 0;  ///< of one program
    std::uint64_t steps = 0;       ///< of the world
};

/// Far above what the scenario needs under any plan, which may cut the output of its jobs into
/// single bytes.
Bounds bounds_of(const Scenario& scenario);

}  // namespace drydock::scenarios
