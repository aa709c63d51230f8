#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace drydock::cli {

/// For options of unsigned types: CLI11 would take "-1", and what overflows, for the largest
/// number.
inline CLI::Validator whole_number() {
    return {[](const std::string& text) {
                const bool is_one = !text.empty() && text.size() < 19 &&
                                    text.find_first_not_of("0123456789") == std::string::npos;
                return is_one ? std::string() : "'" + text + "' is not a whole number below 10^18";
            },
            ""};
}

/// Where 0 would leave nothing to do, and so nothing to fail.
inline CLI::Validator positive_number() {
    return {[](const std::string& text) {
                const bool is_zero =
                    !text.empty() && text.find_first_not_of('0') == std::string::npos;
                return is_zero ? std::string("must be at least 1") : whole_number()(text);
            },
            ""};
}

}  // namespace drydock::cli
