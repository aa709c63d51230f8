#pragma once

#include <string>
#include <string_view>

namespace drydock::reports {

/// The text with everything replaced by U+FFFD that no XML 1.0 document may hold, however it is
/// escaped: broken UTF-8, control characters but tab and line feed, U+FFFE and U+FFFF.
std::string clean(std::string_view text);

}  // namespace drydock::reports
