#pragma once

#include <drydock/faults/step_fault.hpp>

#include <string_view>

namespace drydock::faults {

/// Reads "kill_guard", "kill_child(2s)", "slow(5ms)". Throws InputError and leaves legality to the
/// caller.
StepFault step_fault_from_word(std::string_view text);

}  // namespace drydock::faults
