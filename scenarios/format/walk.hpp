#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::scenarios {

struct SyntaxError {
    std::size_t offset = 0;  ///< bytes read, the bad one included
    std::string what;
};

/// The first place at which text is not JSON, numbers out of range included. Throws
/// faults::InputError for a key that an object has twice before that: JSON libraries keep either,
/// so the file would not mean what it shows.
std::optional<SyntaxError> find_syntax_error(std::string_view text);

}  // namespace drydock::scenarios
