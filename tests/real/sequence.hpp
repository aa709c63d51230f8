#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drydock::real {

/// One call is one line of text; README.md has the grammar.
struct Sequence {
    std::string name;
    std::vector<std::string> calls;
};

/// `== NAME` begins a sequence, its calls follow; blank lines and those that begin with # are
/// dropped. Throws std::runtime_error for a call that stands before the first name.
std::vector<Sequence> read_sequences(const std::string& path);

std::string text_of(const Sequence& sequence);

/// Takes the first word off a line.
std::string take_word(std::string_view& line);

}  // namespace drydock::real
