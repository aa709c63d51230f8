#include "engine/files.hpp"
#include "engine/guard.hpp"

#include <algorithm>
#include <charconv>

namespace drydock::sim {
namespace {

constexpr std::uint64_t longest_part = std::uint64_t{1} << 20;
constexpr int naps_until_live = 100;
constexpr std::size_t out_word = 4;  // sh FILE follow JOB OUT ERR
constexpr std::size_t err_word = 5;

/// Nothing for `-`.
std::optional<std::uint64_t> offset_in(std::string_view word) {
    std::uint64_t offset = 0;
    std::from_chars(word.data(), word.data() + word.size(), offset);
    return word == "-" ? std::nullopt : std::optional(offset);
}

}  // namespace

Routine<> Guard::follow() {
    if (words() != err_word + 1) {
        co_await give_up("usage: guard follow JOB OUT ERR");
    }
    std::optional<std::uint64_t> out = offset_in(word(out_word));
    std::optional<std::uint64_t> err = offset_in(word(err_word));
    polls_ = true;
    for (int idle = 0;;) {
        // First the state, then the sizes: what ended has written all its output.
        co_await look();
        const std::uint64_t out_size = size("out");
        const bool has_out = co_await print_new("out", out, out_size);
        const std::uint64_t err_size = size("err");
        const bool has_err = co_await print_new("err", err, err_size);
        if (state_ != State::live) {
            co_await end_with_sizes(out_size, err_size);
        }
        if (has_out || has_err) {
            idle = 0;
        } else if (idle >= naps_until_live) {
            idle = 0;
            co_await step();
            self_->write_out("live\n");
        }
        idle += co_await naps(naps_until_live - idle);
    }
}

/// Records up to that size. False: there was nothing new.
Routine<bool> Guard::print_new(std::string_view name, std::optional<std::uint64_t>& offset,
                               std::uint64_t goal) {
    const bool has_news = offset && *offset < goal;
    while (offset && *offset < goal) {
        const std::uint64_t part = std::min(goal - *offset, longest_part);
        co_await step();
        std::string_view bytes;
        files().read(path(name), *offset, bytes);
        bytes = bytes.substr(0, part);
        std::string record(name);
        record.append(" ").append(std::to_string(*offset));
        record.append(" ").append(std::to_string(part)).append("\n").append(bytes);
        self_->write_out(record);
        if (bytes.size() < part) {
            co_await exit(1);  // the job truncated it: leave the record torn
        }
        *offset += part;
    }
    co_return has_news;
}

Guard::End Guard::end_with_sizes(std::uint64_t out, std::uint64_t err) {
    const std::string sizes = " " + std::to_string(out) + " " + std::to_string(err);
    switch (state_) {
        case State::code: return end("code " + std::to_string(code_) + sizes);
        case State::unknown: return end("unknown" + sizes);
        case State::fenced: return end("fenced");
        case State::absent: return end("absent");
        case State::live: break;
    }
    return end("live");
}

}  // namespace drydock::sim
