#include "docker/json_cursor.hpp"

#include <cstdint>

namespace drydock::docker {

bool JsonCursor::step_over_string() {
    if (at_ == end_ || *at_ != '"') {
        return fail();
    }
    const char* at = at_ + 1;
    while (at != end_ && *at != '"') {
        at += *at == '\\' && end_ - at > 1 ? 2 : 1;
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
