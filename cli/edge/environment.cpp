#include "edge/environment.hpp"

#include "edge/output.hpp"

#include <drydock/retry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace drydock::cli {

std::optional<std::string> environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value);
}

std::uint64_t scaled(std::uint64_t runs) {
    const auto text = environment("DRYDOCK_WORK");
    if (!text) return runs;
    char* end = nullptr;
    const double factor = std::strtod(text->c_str(), &end);
    const bool is_right = *end == '\0' && std::isfinite(factor) && factor > 0 && factor <= 1000;
    if (!is_right) {
        print_error(
            fmt::format("drydock: DRYDOCK_WORK={} is not a factor of more than 0 and at most "
                        "1000; ignored\n",
                        *text));
        return runs;
    }
    return std::max(std::uint64_t{1},
                    static_cast<std::uint64_t>(static_cast<double>(runs) * factor));
}

std::optional<std::uint32_t> start_attempts() {
    const auto text = environment("DRYDOCK_START_ATTEMPTS");
    if (!text) return std::nullopt;
    const AttemptsSetting setting = attempts_from(*text);
    if (setting.warning.empty()) return setting.attempts;
    print_error(fmt::format("drydock: {}\n", setting.warning));
    return std::nullopt;
}

}  // namespace drydock::cli
