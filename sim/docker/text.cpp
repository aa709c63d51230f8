#include "docker/answers.hpp"

#include <fmt/format.h>

#include <chrono>
#include <iterator>

namespace drydock::sim::docker {
namespace {

bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    // Go's encoder also escapes what would be dangerous in HTML.
    return byte >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

void append_escape(std::string& json, char c) {
    switch (c) {
        case '"': json.append("\\\""); break;
        case '\\': json.append("\\\\"); break;
        case '\n': json.append("\\n"); break;
        case '\r': json.append("\\r"); break;
        case '\t': json.append("\\t"); break;
        default: {
            constexpr std::string_view digits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            json.append("\\u00");
            json.push_back(digits[byte >> 4]);
            json.push_back(digits[byte & 15]);
        }
    }
}

/// Two digits. Each inspect answer has up to three times in it, so this is not left to fmt.
void append_two(std::string& text, std::int64_t number) {
    text.push_back(static_cast<char>('0' + number / 10 % 10));
    text.push_back(static_cast<char>('0' + number % 10));
}

}  // namespace

void append_json(std::string& json, std::string_view text) {
    json.push_back('"');
    std::size_t plain = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_plain(text[i])) {
            continue;
        }
        json.append(text, plain, i - plain);
        append_escape(json, text[i]);
        plain = i + 1;
    }
    json.append(text, plain);
    json.push_back('"');
}

namespace {

/// Up to the seconds.
void append_date_and_time(std::string& text, WallTime wall) {
    namespace chr = std::chrono;
    const auto day = chr::floor<chr::days>(wall);
    const chr::year_month_day date(day);
    const chr::hh_mm_ss<Duration> time(wall - day);
    append_two(text, static_cast<int>(date.year()) / 100);
    append_two(text, static_cast<int>(date.year()) % 100);
    text.push_back('-');
    append_two(text, static_cast<unsigned>(date.month()));
    text.push_back('-');
    append_two(text, static_cast<unsigned>(date.day()));
    text.push_back('T');
    append_two(text, time.hours().count());
    text.push_back(':');
    append_two(text, time.minutes().count());
    text.push_back(':');
    append_two(text, time.seconds().count());
}

std::int64_t nanoseconds_of(WallTime wall) {
    return (wall - std::chrono::floor<std::chrono::seconds>(wall)).count();
}

}  // namespace

void append_time(std::string& json, WallTime wall) {
    json.push_back('"');
    append_date_and_time(json, wall);
    if (const std::int64_t nanoseconds = nanoseconds_of(wall); nanoseconds != 0) {
        fmt::format_to(std::back_inserter(json), ".{:09}", nanoseconds);
        json.erase(json.find_last_not_of('0') + 1);
    }
    json.append("Z\"");
}

void append_log_time(std::string& text, WallTime wall) {
    append_date_and_time(text, wall);
    fmt::format_to(std::back_inserter(text), ".{:09}Z ", nanoseconds_of(wall));
}

std::string human_duration(Duration duration) {
    const auto seconds = duration / std::chrono::seconds(1);
    const auto minutes = seconds / 60;
    const auto hours = (minutes + 30) / 60;
    if (seconds < 1) {
        return "Less than a second";
    }
    if (seconds < 60) {
        return fmt::format("{} second{}", seconds, seconds == 1 ? "" : "s");
    }
    if (minutes < 60) {
        return minutes == 1 ? std::string("About a minute") : fmt::format("{} minutes", minutes);
    }
    if (hours < 48) {
        return hours == 1 ? std::string("About an hour") : fmt::format("{} hours", hours);
    }
    return fmt::format("{} days", hours / 24);
}

}  // namespace drydock::sim::docker
