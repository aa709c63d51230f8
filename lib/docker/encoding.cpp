#include "docker/requests.hpp"

#include <array>

namespace drydock::docker {
namespace {

constexpr std::string_view upper_digits = "0123456789ABCDEF";
constexpr std::string_view lower_digits = "0123456789abcdef";

constexpr std::array<bool, 256> unreserved_bytes = [] {
    std::array<bool, 256> unreserved{};
    for (unsigned c = 0; c < unreserved.size(); ++c) {
        unreserved[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    }
    return unreserved;
}();

bool is_unreserved(char c) { return unreserved_bytes[static_cast<unsigned char>(c)]; }

void append_escape(std::string& json, char c) {
    switch (c) {
        case '"': json.append("\\\""); break;
        case '\\': json.append("\\\\"); break;
        case '\n': json.append("\\n"); break;
        case '\r': json.append("\\r"); break;
        case '\t': json.append("\\t"); break;
        default:
            json.append("\\u00");
            json.push_back(lower_digits[static_cast<unsigned char>(c) >> 4]);
            json.push_back(lower_digits[static_cast<unsigned char>(c) & 15]);
    }
}

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

}  // namespace

// Copies what needs no escape in runs: ids and names need none at all.
void append_encoded(std::string& target, std::string_view text) {
    std::size_t plain = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_unreserved(text[i])) continue;
        target.append(text, plain, i - plain);
        const auto byte = static_cast<unsigned char>(text[i]);
        target.push_back('%');
        target.push_back(upper_digits[byte >> 4]);
        target.push_back(upper_digits[byte & 15]);
        plain = i + 1;
    }
    target.append(text, plain);
}

void append_json(std::string& json, std::string_view text) {
    json.push_back('"');
    std::size_t plain = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (needs_escape(text[i])) {
            json.append(text, plain, i - plain);
            append_escape(json, text[i]);
            plain = i + 1;
        }
    }
    json.append(text, plain);
    json.push_back('"');
}

}  // namespace drydock::docker
