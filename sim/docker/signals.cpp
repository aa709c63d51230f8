#include "docker/signals.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace drydock::sim::docker {
namespace {

using Named = std::pair<std::string_view, int>;

constexpr int first_real_time = 34;
constexpr int last_real_time = 64;

// x86-64 Linux, with Docker's aliases.
constexpr std::array<Named, 36> signal_numbers = {{
    {"ABRT", 6},
    {"ALRM", 14},
    {"BUS", 7},
    {"CHLD", 17},
    {"CLD", 17},
    {"CONT", 18},
    {"FPE", 8},
    {"HUP", 1},
    {"ILL", 4},
    {"INT", 2},
    {"IO", 29},
    {"IOT", 6},
    {"KILL", 9},
    {"PIPE", 13},
    {"POLL", 29},
    {"PROF", 27},
    {"PWR", 30},
    {"QUIT", 3},
    {"RTMAX", last_real_time},
    {"RTMIN", first_real_time},
    {"SEGV", 11},
    {"STKFLT", 16},
    {"STOP", 19},
    {"SYS", 31},
    {"TERM", 15},
    {"TRAP", 5},
    {"TSTP", 20},
    {"TTIN", 21},
    {"TTOU", 22},
    {"URG", 23},
    {"USR1", 10},
    {"USR2", 12},
    {"VTALRM", 26},
    {"WINCH", 28},
    {"XCPU", 24},
    {"XFSZ", 25},
}};

/// A whole text that is a number in that range.
std::optional<int> number_in(std::string_view text, int low, int high) {
    int number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = failed == std::errc{} && end == text.data() + text.size();
    return is_whole && number >= low && number <= high ? std::optional(number) : std::nullopt;
}

std::optional<int> real_time_number(std::string_view name) {
    constexpr std::string_view from_first = "RTMIN+";
    constexpr std::string_view from_last = "RTMAX-";
    if (name.starts_with(from_first)) {
        const auto steps = number_in(name.substr(from_first.size()), 1, 15);
        return steps ? std::optional(first_real_time + *steps) : std::nullopt;
    }
    if (name.starts_with(from_last)) {
        const auto steps = number_in(name.substr(from_last.size()), 1, 14);
        return steps ? std::optional(last_real_time - *steps) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::optional<int> signal_number(std::string_view signal) {
    if (const auto number = number_in(signal, 1, last_real_time)) {
        return number;
    }
    std::string upper(signal);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    std::string_view name = upper;
    if (name.starts_with("SIG")) {
        name.remove_prefix(3);
    }
    const auto* at = std::find_if(signal_numbers.begin(), signal_numbers.end(),
                                  [name](const Named& one) { return one.first == name; });
    return at != signal_numbers.end() ? std::optional(at->second) : real_time_number(name);
}

}  // namespace drydock::sim::docker
