#include "docker/number.hpp"

#include <fmt/format.h>

#include <charconv>

namespace drydock::sim::docker {

Number whole_number(std::string_view text) {
    Number number;
    std::string_view digits = text;
    if (digits.starts_with('+')) {
        digits.remove_prefix(1);
    }
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
    if (failed == std::errc::result_out_of_range) {
        number.error = fmt::format("strconv.Atoi: parsing \"{}\": value out of range", text);
    } else if (failed != std::errc{} || end != digits.data() + digits.size()) {
        number.error = fmt::format("strconv.Atoi: parsing \"{}\": invalid syntax", text);
    }
    return number;
}

}  // namespace drydock::sim::docker
