#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace drydock::scenarios {

/// Text to JSON, made safe for whatever a file may hold: its size, its nesting, its UTF-8, its
/// syntax and its duplicate keys are checked. Throws faults::InputError, for syntax with
/// "line:column".
nlohmann::json parse_json(std::string_view text);

}  // namespace drydock::scenarios
