#include <drydock/faults/stream_fault.hpp>

#include <fmt/format.h>

#include <array>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, stream_kind_count> stream_names{
    "eof", "reset", "stall", "split", "gap", "repeat", "error_text"};

bool has_length(StreamFault::Kind kind) {
    return kind == StreamFault::Kind::split || kind == StreamFault::Kind::gap ||
           kind == StreamFault::Kind::repeat;
}

}  // namespace

std::string_view name(StreamFault::Kind kind) {
    return stream_names.at(static_cast<std::size_t>(kind));
}

std::optional<std::string> why_illegal(const StreamFault& fault) {
    constexpr std::uint64_t most = StreamFault::max_offset;
    if (fault.after > most || fault.length > most) {
        return fmt::format("{} counts at most {} bytes", name(fault.kind), most);
    }
    if (has_length(fault.kind) && fault.length == 0) {
        return fmt::format("{} needs at least 1 byte", name(fault.kind));
    }
    if (fault.kind == StreamFault::Kind::repeat && fault.length > fault.after) {
        return fmt::format("after {} bytes there are no {} to repeat", fault.after, fault.length);
    }
    const bool says_nothing = (fault.kind == StreamFault::Kind::split && fault.after != 0) ||
                              (!has_length(fault.kind) && fault.length != 0);
    return says_nothing ? std::optional(fmt::format("{} has no such number", name(fault.kind)))
                        : std::nullopt;
}

namespace streams {

// clang-format off
StreamFault eof(std::uint64_t after) { return {StreamFault::Kind::eof, after, 0}; }
StreamFault reset(std::uint64_t after) { return {StreamFault::Kind::reset, after, 0}; }
StreamFault stall(std::uint64_t after) { return {StreamFault::Kind::stall, after, 0}; }
StreamFault split(std::uint64_t pieces) { return {StreamFault::Kind::split, 0, pieces}; }
StreamFault gap(std::uint64_t after, std::uint64_t length) { return {StreamFault::Kind::gap, after, length}; }
StreamFault repeat(std::uint64_t after, std::uint64_t length) { return {StreamFault::Kind::repeat, after, length}; }
StreamFault error_text(std::uint64_t after) { return {StreamFault::Kind::error_text, after, 0}; }
// clang-format on

}  // namespace streams
}  // namespace drydock::faults
