#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace drydock::faults {

/// `word` in quotes for a message: shortened, control characters and broken UTF-8 made visible.
std::string in_quotes(std::string_view word);

/// `; did you mean "reply_lost"?` where one of `known` is close to `word`, else empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// "a, b or c".
std::string one_of(std::span<const std::string_view> words);

/// FNV-1a: the same on every compiler and machine.
constexpr std::uint64_t fnv1a(std::string_view text,
                              std::uint64_t hash = 0xcbf29ce484222325U) noexcept {
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return hash;
}

}  // namespace drydock::faults
