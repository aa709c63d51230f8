#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace drydock::faults {
namespace {

constexpr std::size_t longest_quote = 60;

/// Optimal string alignment: edits, with a swap of neighbours counted once.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        above[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        before.swap(above);
        above.swap(row);
    }
    return above[b.size()];
}

bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

}  // namespace

std::string in_quotes(std::string_view word) {
    std::string result = "\"";
    for (const char c : word.substr(0, longest_quote)) {
        if (is_plain(c)) {
            result += c;
        } else if (c == '"' || c == '\\') {
            result += {'\\', c};
        } else {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
    }
    result += word.size() > longest_quote ? "...\"" : "\"";
    return result;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
    if (word.empty() || word.size() > longest_quote) {
        return {};
    }
    std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string_view found;
    for (const std::string_view candidate : known) {
        const std::size_t edits = distance(word, candidate);
        if (edits < best) {
            best = edits;
            found = candidate;
        }
    }
    return found.empty() ? std::string{} : fmt::format("; did you mean \"{}\"?", found);
}

std::string one_of(std::span<const std::string_view> words) {
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) {
            result += i + 1 == words.size() ? " or " : ", ";
        }
        result += words[i];
    }
    return result;
}

}  // namespace drydock::faults
