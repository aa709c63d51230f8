#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace drydock::faults {

/// Bad input from a person: a plan, a scenario, a site's name. Thrown (never returned) by
/// everything that reads such input; the command turns it into exit code 2.
struct InputError : std::runtime_error {
    InputError(std::string pointer, std::string message, std::string file = {});

    /// The same error seen from outside: `prefix` comes before the pointer.
    InputError under(std::string_view prefix) const;
    InputError in_file(std::string_view name) const;

    std::string pointer;  ///< JSON pointer, or "line:column" where the text is not even JSON
    std::string message;  ///< what is wrong, and what would be right
    std::string file;     ///< empty where no file is known
};

/// One level further down a JSON pointer; escapes the key.
std::string below(std::string_view pointer, std::string_view key);
std::string below(std::string_view pointer, std::size_t index);

}  // namespace drydock::faults
