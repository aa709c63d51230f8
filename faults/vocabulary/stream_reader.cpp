#include "vocabulary/stream_reader.hpp"

#include "vocabulary/call_syntax.hpp"
#include "vocabulary/words.hpp"

#include <fmt/format.h>

namespace drydock::faults {
namespace {

using Kind = StreamFault::Kind;

StreamFault one_number(Kind kind, const Call& call) {
    check_arguments(call, 1, 1, fmt::format("{}(100)", call.word));
    return {kind, bytes_argument(call, 0), 0};
}

StreamFault two_numbers(Kind kind, const Call& call) {
    check_arguments(call, 2, 2, fmt::format("{}(100, 8)", call.word));
    const std::uint64_t after = bytes_argument(call, 0);
    return {kind, after, bytes_argument(call, 1)};
}

}  // namespace

StreamFault stream_fault_from_word(std::string_view text) {
    const Call call = parse_call(text);
    const auto kind = static_cast<Kind>(index_of(call.word, stream_words(), "stream fault"));
    switch (kind) {
        case Kind::split:
            check_arguments(call, 0, 1, "split(7)");
            return streams::split(call.arguments.empty() ? 1 : bytes_argument(call, 0));
        case Kind::gap:
        case Kind::repeat: return two_numbers(kind, call);
        default: return one_number(kind, call);
    }
}

}  // namespace drydock::faults
