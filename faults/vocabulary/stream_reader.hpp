#pragma once

#include <drydock/faults/stream_fault.hpp>

#include <string_view>

namespace drydock::faults {

/// Reads "eof(12)", "split", "gap(8, 1)". Throws InputError and leaves legality to the caller.
StreamFault stream_fault_from_word(std::string_view text);

}  // namespace drydock::faults
