#include "story/repeats.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace drydock::reports {
namespace {

constexpr std::size_t fewest_repeats = 2;  // of a sentence, its first telling not counted

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
    explicit Repeats(std::vector<Sentence> sentences)
        : sentences_(std::move(sentences)), is_left_out_(sentences_.size(), false) {}

    std::vector<Sentence> told_once() {
        for (std::size_t i = 0; i < sentences_.size(); ++i)
            take(i);
        for (auto& [name, flow] : flows_)
            fold(name, flow);
        std::vector<Sentence> result;
        for (std::size_t i = 0; i < sentences_.size(); ++i) {
            const auto summary = summaries_.find(i);
            if (summary != summaries_.end()) result.push_back(std::move(summary->second));
            if (!is_left_out_[i]) result.push_back(std::move(sentences_[i]));
        }
        return result;
    }

private:
    struct Flow {
        std::set<std::string> told{};                 // kinds, since the last turning point
        std::vector<std::size_t> again{};             // what was told before, one after the other
        std::map<std::string, std::size_t> counts{};  // of their kinds
    };

    void take(std::size_t i) {
        const Sentence& sentence = sentences_[i];
        if (!sentence.is_routine) return turn(sentence.flow);
        Flow& flow = flows_[sentence.flow];
        std::string kind = kind_of(sentence.text);
        if (flow.told.insert(kind).second) return fold(sentence.flow, flow);
        flow.again.push_back(i);
        ++flow.counts[std::move(kind)];
    }

    // What is of no flow, a crash say, is a turning point of all of them.
    void turn(const std::string& of) {
        for (auto& [name, flow] : flows_) {
            if (!of.empty() && name != of) continue;
            fold(name, flow);
            flow.told.clear();
        }
    }

    void fold(const std::string& name, Flow& flow) {
        std::size_t times = 0;
        for (const auto& [kind, count] : flow.counts)
            times = std::max(times, count);
        if (times >= fewest_repeats) {
            for (const std::size_t i : flow.again)
                is_left_out_[i] = true;
            summaries_.emplace(flow.again.front(), summary(name, flow, times));
        }
        flow.again.clear();
        flow.counts.clear();
    }

    Sentence summary(const std::string& name, const Flow& flow, std::size_t times) const {
        const Sentence& first = sentences_[flow.again.front()];
        const Sentence& last = sentences_[flow.again.back()];
        return {.at = first.at,
                .text = fmt::format("... {} goes on like this {} more times, until {}", name, times,
                                    faults::format_time(last.at)),
                .flow = name};
    }

    std::vector<Sentence> sentences_;
    std::vector<bool> is_left_out_;
    std::map<std::string, Flow> flows_;
    std::map<std::size_t, Sentence> summaries_;  // by the first sentence that they stand for
};

}  // namespace

std::vector<Sentence> without_repeats(std::vector<Sentence> sentences) {
    return Repeats(std::move(sentences)).told_once();
}

}  // namespace drydock::reports
