#pragma once

#include <drydock/faults/fate.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace drydock::faults {

/// Readers of one file form each. They throw InputError and leave legality to the caller.
Fate fate_from_word(std::string_view text);
Fate fate_from_object(const nlohmann::json& json);
LocalFate local_fate_from_word(std::string_view text);

}  // namespace drydock::faults
