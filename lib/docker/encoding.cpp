#include "docker/requests.hpp"

namespace drydock::docker {
namespace {

constexpr std::string_view upper_digits = "0123456789ABCDEF";
constexpr std::string_view lower_digits = "0123456789abcdef";

bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '~';
}

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

void append_encoded(std::string& target, std::string_view text) {
    for (const char c : text) {
        if (is_unreserved(c)) {
            target.push_back(c);
        } else {
            target.push_back('%');
            target.push_back(upper_digits[static_cast<unsigned char>(c) >> 4]);
            target.push_back(upper_digits[static_cast<unsigned char>(c) & 15]);
        }
    }
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
