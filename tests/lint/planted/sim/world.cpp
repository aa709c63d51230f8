#include <drydock/error.hpp>
#include <drydock/faults/plan.hpp>
#include <drydock/scenarios/runner.hpp>  // layers: upward
#include <drydock/sim/world.hpp>

auto now = std::chrono::system_clock::now();  // banned_calls: clock
