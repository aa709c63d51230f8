#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// A whole number as Go's Atoi reads one, or its complaint.
struct Number {
    std::int64_t value = 0;
    std::string error{};
};

Number whole_number(std::string_view text);

}  // namespace drydock::sim::docker
