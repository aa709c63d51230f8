#include "vocabulary/call_syntax.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace drydock::faults {
namespace {

std::string_view trim(std::string_view text) {
    while (text.starts_with(' ')) {
        text.remove_prefix(1);
    }
    while (text.ends_with(' ')) {
        text.remove_suffix(1);
    }
    return text;
}

template <class Number>
Number number(std::string_view text, std::string_view what) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw InputError("", fmt::format("{} is not {}", in_quotes(text), what));
    }
    return value;
}

}  // namespace

Call parse_call(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) {
        return {text, {}};
    }
    if (text.find(')') != text.size() - 1) {
        throw InputError("", fmt::format("{} does not end in its one ')'", in_quotes(text)));
    }
    Call call{text.substr(0, open), {}};
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    for (;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view argument = trim(rest.substr(0, comma));
        if (argument.empty()) {
            throw InputError("", fmt::format("{} has an empty argument", in_quotes(text)));
        }
        call.arguments.push_back(argument);
        if (comma == std::string_view::npos) {
            return call;
        }
        rest.remove_prefix(comma + 1);
    }
}

void check_arguments(const Call& call, std::size_t least, std::size_t most,
                     std::string_view example) {
    if (call.arguments.size() < least) {
        const std::string count =
            least == 1 ? std::string("an argument") : fmt::format("{} arguments", least);
        throw InputError("", fmt::format("{} needs {}, as in {}", call.word, count, example));
    }
    if (call.arguments.size() > most) {
        throw InputError("", most == 0 ? fmt::format("{} takes no arguments", call.word)
                                       : fmt::format("{} has too many arguments; write it as in {}",
                                                     call.word, example));
    }
}

int status_argument(const Call& call, std::size_t index) {
    return number<int>(call.arguments.at(index), "an HTTP status");
}

Duration duration_argument(const Call& call, std::size_t index) {
    return parse_duration(call.arguments.at(index));
}

std::uint64_t bytes_argument(const Call& call, std::size_t index) {
    return number<std::uint64_t>(call.arguments.at(index), "a number of bytes");
}

}  // namespace drydock::faults
