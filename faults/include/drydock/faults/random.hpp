#pragma once

#include <cassert>
#include <cstdint>

namespace drydock::faults {

/// SplitMix64's output function: a good 64-bit mixer.
constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// SplitMix64. Ours, because the distributions of the standard library differ between libraries.
class SplitMix64 {
public:
    constexpr explicit SplitMix64(std::uint64_t seed) noexcept : state_(seed) {}

    constexpr std::uint64_t next() noexcept {
        state_ += 0x9e3779b97f4a7c15U;
        return mix(state_);
    }

    /// A number of 0..n-1. Its bias, at most n / 2^32, does not matter here.
    constexpr std::uint32_t below(std::uint32_t n) noexcept {
        assert(n > 0);
        return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
    }

    /// True in `percent` of 100 cases.
    constexpr bool chance(std::uint32_t percent) noexcept { return below(100) < percent; }

private:
    std::uint64_t state_;
};

/// The seed of run `i` of a campaign: runs are independent of each other and of their order.
constexpr std::uint64_t seed_of(std::uint64_t seed, std::uint64_t i) noexcept {
    return mix(seed + mix(i + 0x9e3779b97f4a7c15U));
}

}  // namespace drydock::faults
