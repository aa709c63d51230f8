#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace drydock {

/// Where text stops being UTF-8 (overlong forms, surrogates and values beyond U+10FFFF are not).
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

}  // namespace drydock
