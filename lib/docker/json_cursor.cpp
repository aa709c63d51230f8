#include "docker/json_cursor.hpp"

#include <charconv>
#include <cstring>

namespace drydock::docker {

bool JsonCursor::fail() noexcept {
    failed_ = true;
    at_ = end_;
    return false;
}

void JsonCursor::blanks() noexcept {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
        ++at_;
    }
}

bool JsonCursor::enter(char bracket) {
    blanks();
    if (at_ == end_ || *at_ != bracket || depth_ == max_depth) {
        return fail();
    }
    ++at_;
    ++depth_;
    first_ = true;
    return true;
}

bool JsonCursor::next(char closing) {
    if (failed_) {
        return false;
    }
    blanks();
    if (at_ == end_) {
        return fail();
    }
    if (*at_ == closing) {
        ++at_;
        --depth_;
        first_ = false;
        return false;
    }
    if (!first_) {
        if (*at_ != ',') {
            return fail();
        }
        ++at_;
        blanks();
    }
    first_ = false;
    return true;
}

bool JsonCursor::next_key(std::string_view& key) {
    if (!next('}')) {
        return false;
    }
    const char* begin = at_ + 1;
    if (!step_over_string()) {
        return false;
    }
    key = std::string_view(begin, static_cast<std::size_t>(at_ - begin - 1));
    blanks();
    if (at_ == end_ || *at_ != ':') {
        return fail();
    }
    ++at_;
    return true;
}

bool JsonCursor::take(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() ||
        std::memcmp(at_, word.data(), word.size()) != 0) {
        return false;
    }
    at_ += word.size();
    return true;
}

bool JsonCursor::take_null() {
    blanks();
    return take("null");
}

bool JsonCursor::at_string() {
    blanks();
    return at_ != end_ && *at_ == '"';
}

bool JsonCursor::read_bool(bool& value) {
    blanks();
    if (take("true")) {
        value = true;
        return true;
    }
    if (take("false")) {
        value = false;
        return true;
    }
    return fail();
}

bool JsonCursor::read_int(int& value) {
    blanks();
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc()) {
        return fail();
    }
    at_ = stop;
    return true;
}

bool JsonCursor::at_end() {
    blanks();
    return !failed_ && at_ == end_;
}

}  // namespace drydock::docker
