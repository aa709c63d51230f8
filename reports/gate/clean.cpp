#include "gate/clean.hpp"

#include <nlohmann/json.hpp>

namespace drydock::reports {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

// nlohmann replaces broken UTF-8 as Unicode recommends.
std::string as_utf8(std::string_view text) {
    using nlohmann::json;
    const std::string dumped = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    return json::parse(dumped).get<std::string>();
}

bool is_forbidden(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\n');
}

}  // namespace

std::string clean(std::string_view text) {
    const std::string utf8 = as_utf8(text);
    std::string result;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const std::string_view rest = std::string_view(utf8).substr(i);
        const bool is_no_character =
            rest.starts_with("\xef\xbf\xbe") || rest.starts_with("\xef\xbf\xbf");
        if (is_no_character) {
            result += replacement;
            i += 2;
        } else if (is_forbidden(utf8[i])) {
            result += replacement;
        } else {
            result += utf8[i];
        }
    }
    return result;
}

}  // namespace drydock::reports
