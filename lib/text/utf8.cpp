#include <drydock/utf8.hpp>

#include <array>
#include <cstdint>

namespace drydock {
namespace {

/// A row of the Unicode standard's table 3-7: lead bytes, the range of the byte after them, and how
/// many bytes of 80..BF then follow.
struct Form {
    std::uint8_t lead_first, lead_last;
    std::uint8_t next_first, next_last;
    std::uint8_t more;
};

constexpr std::array<Form, 8> forms{{
    {0xC2, 0xDF, 0x80, 0xBF, 0},
    {0xE0, 0xE0, 0xA0, 0xBF, 1},
    {0xE1, 0xEC, 0x80, 0xBF, 1},
    {0xED, 0xED, 0x80, 0x9F, 1},
    {0xEE, 0xEF, 0x80, 0xBF, 1},
    {0xF0, 0xF0, 0x90, 0xBF, 2},
    {0xF1, 0xF3, 0x80, 0xBF, 2},
    {0xF4, 0xF4, 0x80, 0x8F, 2},
}};

/// The length of the sequence at the front of text, 0 if it is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
    };
    if (byte(0) < 0x80) {
        return 1;
    }
    for (const Form& form : forms) {
        if (byte(0) < form.lead_first || byte(0) > form.lead_last) {
            continue;
        }
        if (byte(1) < form.next_first || byte(1) > form.next_last) {
            return 0;
        }
        for (std::size_t i = 0; i < form.more; ++i) {
            if ((byte(2 + i) & 0xC0) != 0x80) {
                return 0;
            }
        }
        return std::size_t{2} + form.more;
    }
    return 0;
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequence_length(text.substr(at));
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return std::nullopt;
}

}  // namespace drydock
