#include "gate/markdown_text.hpp"

#include "gate/clean.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::reports {
namespace {

std::string on_one_line(std::string_view text) {
    std::string line = clean(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

// Longer than any run of backticks within.
std::string fence_for(std::string_view text, std::size_t least) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return std::string(std::max(least, longest + 1), '`');
}

}  // namespace

std::string plain(std::string_view text) {
    constexpr std::string_view special = "\\`*_[]<>~&#";
    std::string result;
    for (const char c : on_one_line(text)) {
        if (special.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string code(std::string_view text) {
    const std::string line = on_one_line(text);
    const std::string fence = fence_for(line, 1);
    const bool needs_room = line.empty() || line.front() == '`' || line.back() == '`';
    const std::string_view room = needs_room ? " " : "";
    return fmt::format("{}{}{}{}{}", fence, room, line, room, fence);
}

std::string codes(const std::vector<std::string>& texts) {
    std::string result;
    for (const std::string& text : texts)
        result += (result.empty() ? "" : ", ") + code(text);
    return result;
}

std::string block(const std::vector<std::string>& lines, std::string_view language) {
    std::string text;
    for (const std::string& line : lines)
        text += on_one_line(line) + "\n";
    const std::string fence = fence_for(text, 3);
    return fmt::format("{}{}\n{}{}\n", fence, language, text, fence);
}

// A table is cut into cells before anything else is read: a pipe is escaped even in a code span.
std::string table_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) {
        row += ' ';
        for (const char c : cell) {
            if (c == '|') row += '\\';
            row += c;
        }
        row += " |";
    }
    return row + "\n";
}

}  // namespace drydock::reports
