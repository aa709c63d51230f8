#pragma once

#include <drydock/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::faults {

/// What becomes of a stream, counted in bytes of the reply's body: `after` bytes come as they were
/// sent.
struct StreamFault {
    enum class Kind : std::uint8_t {
        eof,         ///< then a clean end
        reset,       ///< then the connection breaks, wherever in a message that is
        stall,       ///< then nothing more, and the connection stays
        split,       ///< all of it comes, at most `length` bytes at a time
        gap,         ///< then `length` bytes are missing
        repeat,      ///< then the last `length` bytes come a second time
        error_text,  ///< then the server writes an error line instead of the rest, and ends
    };
    static constexpr std::uint64_t max_offset = std::uint64_t{1} << 30;

    Kind kind = Kind::eof;
    std::uint64_t after = 0;   ///< not of split
    std::uint64_t length = 0;  ///< only of split, gap and repeat

    bool operator==(const StreamFault&) const = default;
};

inline constexpr std::size_t stream_kind_count = 7;

std::string_view name(StreamFault::Kind kind);

/// True if a reply to this operation may be a stream (Transport::open).
constexpr bool may_stream(Operation operation) { return operation == Operation::exec_start; }

/// Why such a fault makes no sense or changes nothing, if so.
std::optional<std::string> why_illegal(const StreamFault& fault);

/// The streams' faults for code.
namespace streams {
StreamFault eof(std::uint64_t after);
StreamFault reset(std::uint64_t after);
StreamFault stall(std::uint64_t after);
StreamFault split(std::uint64_t pieces = 1);
StreamFault gap(std::uint64_t after, std::uint64_t length);
StreamFault repeat(std::uint64_t after, std::uint64_t length);
StreamFault error_text(std::uint64_t after);
}  // namespace streams

}  // namespace drydock::faults
