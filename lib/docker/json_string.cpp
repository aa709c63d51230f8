#include "docker/json_cursor.hpp"

namespace drydock::docker {
namespace {

void append_utf8(std::string& text, std::uint32_t point) {
    const auto byte = [&text](std::uint32_t bits) { text.push_back(static_cast<char>(bits)); };
    if (point < 0x80) {
        byte(point);
    } else if (point < 0x800) {
        byte(0xc0 | point >> 6);
        byte(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
        byte(0xe0 | point >> 12);
        byte(0x80 | (point >> 6 & 0x3f));
        byte(0x80 | (point & 0x3f));
    } else {
        byte(0xf0 | point >> 18);
        byte(0x80 | (point >> 12 & 0x3f));
        byte(0x80 | (point >> 6 & 0x3f));
        byte(0x80 | (point & 0x3f));
    }
}

bool is_high(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }

bool is_low(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

bool JsonCursor::read_unit(std::uint32_t& unit) {
    if (end_ - at_ < 4) {
        return fail();
    }
    unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        const char c = *at_;
        std::uint32_t digit = 0;
        if (c >= '0' && c <= '9') {
            digit = static_cast<std::uint32_t>(c - '0');
        } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
            digit = static_cast<std::uint32_t>((c | 0x20) - 'a') + 10;
        } else {
            return fail();
        }
        unit = unit << 4 | digit;
    }
    return true;
}

bool JsonCursor::read_escape(std::string& value) {
    if (at_ == end_) {
        return fail();
    }
    switch (const char c = *at_++; c) {
        case '"':
        case '\\':
        case '/': value.push_back(c); return true;
        case 'b': value.push_back('\b'); return true;
        case 'f': value.push_back('\f'); return true;
        case 'n': value.push_back('\n'); return true;
        case 'r': value.push_back('\r'); return true;
        case 't': value.push_back('\t'); return true;
        case 'u': break;
        default: return fail();
    }
    std::uint32_t point = 0;
    if (!read_unit(point)) {
        return false;
    }
    if (is_high(point) && take("\\u")) {
        std::uint32_t low = 0;
        if (!read_unit(low) || !is_low(low)) {
            return fail();
        }
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    } else if (is_high(point) || is_low(point)) {
        point = 0xfffd;  // half a pair stands for nothing
    }
    append_utf8(value, point);
    return true;
}

bool JsonCursor::read_string(std::string& value) {
    blanks();
    value.clear();
    if (at_ == end_ || *at_ != '"') {
        return fail();
    }
    ++at_;
    for (;;) {
        const char* begin = at_;
        while (at_ != end_ && *at_ != '"' && *at_ != '\\') {
            ++at_;
        }
        value.append(begin, at_);
        if (at_ == end_) {
            return fail();
        }
        if (*at_++ == '"') {
            return true;
        }
        if (!read_escape(value)) {
            return false;
        }
    }
}

}  // namespace drydock::docker
