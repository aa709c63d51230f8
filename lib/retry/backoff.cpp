#include <drydock/retry.hpp>

#include <algorithm>
#include <charconv>

namespace drydock {

namespace {

Duration exponential_delay(const Exponential& policy, std::uint32_t tries_made,
                           std::uint64_t random_bits) {
    Duration delay = std::min(policy.base, policy.ceiling);
    for (std::uint32_t i = 1; i < tries_made && delay < policy.ceiling; ++i) {
        delay = delay > policy.ceiling / std::max(policy.factor, 1U) ? policy.ceiling
                                                                     : delay * policy.factor;
    }
    if (policy.jitter <= 0) return delay;
    const double share = std::min(policy.jitter, 1.0);
    const double drawn = static_cast<double>(random_bits >> 11) * 0x1.0p-53;
    return delay -
           Duration(static_cast<Duration::rep>(static_cast<double>(delay.count()) * share * drawn));
}

}  // namespace

Duration delay_after(const Backoff& backoff, std::uint32_t tries_made, std::uint64_t random_bits) {
    if (const auto* delays = std::get_if<ExplicitDelays>(&backoff)) {
        if (delays->empty()) return Duration::zero();
        const std::size_t index = std::clamp<std::size_t>(tries_made, 1, delays->size()) - 1;
        return (*delays)[index];
    }
    return exponential_delay(std::get<Exponential>(backoff), tries_made, random_bits);
}

AttemptsSetting attempts_from(std::optional<std::string_view> text) {
    AttemptsSetting setting;
    if (!text) return setting;
    std::uint32_t value = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    if (error == std::errc() && stop == end && value >= 1) {
        setting.attempts = value;
    } else {
        setting.warning = "DRYDOCK_START_ATTEMPTS is \"" + std::string(*text) +
                          "\", which is no integer of at least 1: using " +
                          std::to_string(setting.attempts);
    }
    return setting;
}

}  // namespace drydock
