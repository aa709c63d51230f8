#pragma once

#include <algorithm>
#include <string_view>

namespace drydock::sim {

template <class Range>
bool holds(const Range& range, std::string_view text) {
    return std::find(range.begin(), range.end(), text) != range.end();
}

}  // namespace drydock::sim
