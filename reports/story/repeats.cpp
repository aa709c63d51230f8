#include "story/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace drydock::reports {
namespace {

constexpr std::size_t longest_block = 8;
constexpr std::size_t fewest_repeats = 3;  // of a block, the first one counted

// The sentence without its numbers of calls.
std::string kind_of(const std::string& text) {
    std::string kind;
    bool is_number = false;
    for (const char c : text) {
        is_number = c == '#' || (is_number && c >= '0' && c <= '9');
        if (!is_number) kind += c;
    }
    return kind;
}

class Repeats {
public:
    explicit Repeats(std::vector<Sentence> sentences) : sentences_(std::move(sentences)) {
        for (const Sentence& sentence : sentences_)
            kinds_.push_back(kind_of(sentence.text));
    }

    std::vector<Sentence> told_once() {
        std::vector<Sentence> result;
        for (std::size_t i = 0; i < sentences_.size();) {
            const auto [length, count] = block_at(i);
            for (std::size_t j = 0; j < length; ++j) {
                result.push_back(std::move(sentences_[i + j]));
            }
            if (count > 1) result.push_back(summary(i, length, count));
            i += length * count;
        }
        return result;
    }

private:
    struct Block {
        std::size_t length = 1;
        std::size_t count = 1;
    };

    // The block beginning here that covers most; of equals the shortest.
    Block block_at(std::size_t begin) const {
        Block best;
        for (std::size_t length = 1; length <= longest_block; ++length) {
            const std::size_t count = count_at(begin, length);
            const bool is_better = length * count > best.length * best.count;
            if (count >= fewest_repeats && is_better) best = {length, count};
        }
        return best;
    }

    std::size_t count_at(std::size_t begin, std::size_t length) const {
        if (begin + length > kinds_.size()) return 0;
        std::size_t end = begin + length;
        while (end < kinds_.size() && kinds_[end] == kinds_[end - length])
            ++end;
        return (end - begin) / length;
    }

    Sentence summary(std::size_t begin, std::size_t length, std::size_t count) const {
        const Time last = sentences_[begin + length * count - 1].at;
        const std::string what =
            length == 1 ? "the same" : fmt::format("the same {} things", length);
        return {last, fmt::format("... {} happened {} more times", what, count - 1)};
    }

    std::vector<Sentence> sentences_;
    std::vector<std::string> kinds_;
};

}  // namespace

std::vector<Sentence> without_repeats(std::vector<Sentence> sentences) {
    return Repeats(std::move(sentences)).told_once();
}

}  // namespace drydock::reports
