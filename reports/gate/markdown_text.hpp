#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drydock::reports {

/// The text so that GitHub's Markdown shows it as it is, on one line.
std::string plain(std::string_view text);
/// As a code span, whatever backticks it holds.
std::string code(std::string_view text);
/// Each as a code span, with commas.
std::string codes(const std::vector<std::string>& texts);
/// A code block, whatever fences the lines hold.
std::string block(const std::vector<std::string>& lines, std::string_view language);
/// One line of a table; the cells are Markdown already.
std::string table_row(const std::vector<std::string>& cells);

}  // namespace drydock::reports
