#include "format/syntax.hpp"

#include <drydock/utf8.hpp>
#include "format/walk.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/scenarios/reader.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace drydock::scenarios {
namespace {

using faults::InputError;

std::string place(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
    return fmt::format("{}:{}", lines + 1, before.size() - line_start + 1);
}

/// Looks only at brackets outside strings: cheap, and it cannot itself run out of stack.
void check_nesting(std::string_view text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            i += c == '\\' ? 1 : 0;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > max_nesting) {
                throw InputError(place(text, i),
                                 fmt::format("nested deeper than {} levels", max_nesting));
            }
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
}

/// nlohmann's message without its error number and its own idea of the place.
std::string cause(std::string_view what) {
    for (const std::string_view end : {"column ", "] "}) {
        std::size_t at = what.find(end);
        if (at == std::string_view::npos) {
            continue;
        }
        at = end == "] " ? at + 2 : what.find(": ", at) + 2;
        return std::string(what.substr(at));
    }
    return std::string(what);
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
    if (text.size() > max_file_size) {
        throw InputError("", fmt::format("{} bytes are more than a scenario may have ({})",
                                         text.size(), max_file_size));
    }
    if (const auto offset = first_invalid_utf8(text)) {
        throw InputError(place(text, *offset), "not UTF-8");
    }
    // nlohmann takes it for the end, and what stands behind it would not be looked at.
    if (const auto offset = text.find('\0'); offset != std::string_view::npos) {
        throw InputError(place(text, offset), "a byte of value 0, which no JSON has");
    }
    check_nesting(text);
    if (const auto failure = find_syntax_error(text)) {
        const std::size_t offset = failure->offset == 0 ? 0 : failure->offset - 1;
        throw InputError(place(text, std::min(offset, text.size())), cause(failure->what));
    }
    return nlohmann::json::parse(text);
}

}  // namespace drydock::scenarios
