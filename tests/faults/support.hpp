#pragma once

#include <drydock/faults/input_error.hpp>

#include <string>

namespace drydock::faults {

/// What `action` throws as bad input, as "pointer|message"; "no error" if it throws none.
template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.pointer + "|" + error.message;
    }
    return "no error";
}

}  // namespace drydock::faults
