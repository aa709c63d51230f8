#include "docker/json_cursor.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace drydock::docker {
namespace {

/// A word with the top bit set in the first byte (little endian) of `word` that is zero; bits above
/// it mean nothing.
constexpr std::uint64_t zero_byte(std::uint64_t word) {
    return (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
}

/// The first quote or backslash, eight bytes at a time: most of an inspect answer is strings.
const char* quote_or_escape(const char* at, const char* end) {
    if constexpr (std::endian::native == std::endian::little) {
        for (; end - at >= 8; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, at, 8);
            const std::uint64_t found =
                zero_byte(word ^ 0x2222222222222222ULL) | zero_byte(word ^ 0x5c5c5c5c5c5c5c5cULL);
            if (found != 0) {
                return at + std::countr_zero(found) / 8;
            }
        }
    }
    while (at != end && *at != '"' && *at != '\\') {
        ++at;
    }
    return at;
}

}  // namespace

bool JsonCursor::step_over_string() {
    if (at_ == end_ || *at_ != '"') {
        return fail();
    }
    const char* at = quote_or_escape(at_ + 1, end_);
    while (at != end_ && *at != '"') {
        at = end_ - at > 1 ? quote_or_escape(at + 2, end_) : end_;
    }
    if (at == end_) {
        return fail();
    }
    at_ = at + 1;
    return true;
}

bool JsonCursor::step_over_scalar() {
    const char* begin = at_;
    while (at_ != end_ && *at_ != ',' && *at_ != '}' && *at_ != ']' && *at_ != ' ' &&
           *at_ != '\n' && *at_ != '\r' && *at_ != '\t' && *at_ != ':' && *at_ != '"') {
        ++at_;
    }
    return at_ != begin || fail();
}

bool JsonCursor::skip() {
    blanks();
    if (at_ == end_) {
        return fail();
    }
    if (*at_ == '"') {
        return step_over_string();
    }
    if (*at_ != '{' && *at_ != '[') {
        return step_over_scalar();
    }
    static_assert(max_depth <= 64, "one bit per open bracket says which kind it is");
    std::uint64_t braces = 0;
    unsigned open = 0;
    do {
        switch (*at_) {
            case '"':
                if (!step_over_string()) {
                    return false;
                }
                continue;
            case '{':
            case '[':
                if (depth_ + open == max_depth) {
                    return fail();
                }
                braces = braces << 1 | (*at_ == '{' ? 1u : 0u);
                ++open;
                break;
            case '}':
            case ']':
                if ((braces & 1) != (*at_ == '}' ? 1u : 0u)) {
                    return fail();
                }
                braces >>= 1;
                --open;
                break;
            default: break;
        }
        ++at_;
        if (open == 0) {
            return true;
        }
    } while (at_ != end_);
    return fail();
}

}  // namespace drydock::docker
