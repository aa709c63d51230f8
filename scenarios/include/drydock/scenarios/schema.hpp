#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace drydock::scenarios {

/// The JSON Schema (draft 7) of scenario files, for editors and other tools.
std::string_view scenario_schema();

/// Throws faults::InputError if the document does not match it. read_scenario asks this last: its
/// own checks give better messages, and find more.
void check_against_schema(const nlohmann::json& document);

}  // namespace drydock::scenarios
