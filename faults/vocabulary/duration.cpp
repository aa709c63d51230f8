#include <drydock/faults/duration.hpp>

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace drydock::faults {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t nanoseconds;
};

constexpr std::array<Unit, 6> units{{
    {"h", 3'600'000'000'000},
    {"m", 60'000'000'000},
    {"s", 1'000'000'000},
    {"ms", 1'000'000},
    {"us", 1'000},
    {"ns", 1},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void fail(std::string_view text, std::string_view reason) {
    throw InputError("", fmt::format("duration {} {}", in_quotes(text), reason));
}

std::size_t unit_index(std::string_view text, std::string_view unit) {
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i].name == unit) {
            return i;
        }
    }
    if (unit.empty()) {
        fail(text, "has a number without a unit (h, m, s, ms, us, ns)");
    }
    if (unit.front() == '.') {
        fail(text, "has a fraction; use a smaller unit, as in 1500ms");
    }
    fail(text, fmt::format("has the unknown unit {} (h, m, s, ms, us, ns)", in_quotes(unit)));
}

/// Takes the digits from the front of `rest`.
std::int64_t take_number(std::string_view text, std::string_view& rest) {
    std::int64_t number = 0;
    if (rest.empty() || !is_digit(rest.front())) {
        fail(text, "is not a number followed by a unit, as in 2s or 1h30m");
    }
    while (!rest.empty() && is_digit(rest.front())) {
        number = number * 10 + (rest.front() - '0');
        rest.remove_prefix(1);
        if (number > max_duration.count()) {
            fail(text, "is longer than ten years");
        }
    }
    return number;
}

std::string_view take_unit(std::string_view& rest) {
    std::size_t length = 0;
    while (length < rest.size() && !is_digit(rest[length])) {
        ++length;
    }
    const std::string_view unit = rest.substr(0, length);
    rest.remove_prefix(length);
    return unit;
}

}  // namespace

Duration parse_duration(std::string_view text) {
    if (text.empty()) {
        fail(text, "is empty; write for example 2s");
    }
    if (text.front() == '-') {
        fail(text, "is negative");
    }
    std::int64_t total = 0;
    std::size_t next_unit = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const std::int64_t number = take_number(text, rest);
        const std::size_t index = unit_index(text, take_unit(rest));
        if (index < next_unit) {
            fail(text, "has its units out of order; write 1h30m, not 30m1h");
        }
        next_unit = index + 1;
        if (number > (max_duration.count() - total) / units[index].nanoseconds) {
            fail(text, "is longer than ten years");
        }
        total += number * units[index].nanoseconds;
    }
    return Duration{total};
}

std::string format_duration(Duration duration) {
    std::int64_t rest = duration.count();
    if (rest < 0) {
        return "-" + format_duration(Duration{-rest});  // only for messages: files have none
    }
    if (rest == 0) {
        return "0s";
    }
    const std::size_t last = rest % units[2].nanoseconds == 0 ? 2 : units.size() - 1;
    std::string text;
    for (std::size_t i = last == 2 ? 0 : 3; i <= last; ++i) {
        const bool fits = last == 2 || rest % units[i].nanoseconds == 0;
        if (fits && rest >= units[i].nanoseconds) {
            text += fmt::format("{}{}", rest / units[i].nanoseconds, units[i].name);
            rest %= units[i].nanoseconds;
        }
    }
    return text;
}

std::string format_time(Time at) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
    const std::int64_t minutes = ms.count() / 60000;
    const double seconds = static_cast<double>(ms.count() % 60000) / 1000.0;
    if (minutes == 0) return fmt::format("{:.3f}s", seconds);
    if (minutes < 60) return fmt::format("{}m {:06.3f}s", minutes, seconds);
    return fmt::format("{}h {:02}m {:06.3f}s", minutes / 60, minutes % 60, seconds);
}

}  // namespace drydock::faults
