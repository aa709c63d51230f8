#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace drydock::faults {

/// The index of `word` in `known`. Throws InputError `unknown WHAT "word"` with what may be meant:
/// a near miss, a word of another aspect, or the whole list where it is short.
std::size_t index_of(std::string_view word, std::span<const std::string_view> known,
                     std::string_view what);

/// The words of plans, in the order of their enumerations.
std::span<const std::string_view> fate_words();  ///< without `composed`
std::span<const std::string_view> local_words();
std::span<const std::string_view> moment_words();
std::span<const std::string_view> trait_words();
std::span<const std::string_view> stream_words();
std::span<const std::string_view> step_words();
std::span<const std::string_view> error_words();

}  // namespace drydock::faults
