#include "vocabulary/words.hpp"

#include <drydock/error.hpp>
#include <drydock/faults/choice.hpp>
#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace drydock::faults {
namespace {

template <class Enum, std::size_t count>
std::array<std::string_view, count> names_of() {
    std::array<std::string_view, count> names{};
    for (std::size_t i = 0; i < count; ++i) {
        names[i] = name(static_cast<Enum>(i));
    }
    return names;
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Where else in plans a word belongs.
std::string elsewhere(std::string_view word) {
    if (contains(fate_words(), word)) {
        return fmt::format("; {} is the fate of an exchange, its site ends in /fate", word);
    }
    if (contains(local_words(), word)) {
        return fmt::format("; {} is the fate of a local operation, its site ends in /fate", word);
    }
    if (contains(moment_words(), word)) {
        return fmt::format("; {} is a moment, its site ends in /cancel or /crash", word);
    }
    if (contains(trait_words(), word)) {
        return fmt::format("; {} is an engine choice, its site ends in /engine", word);
    }
    if (contains(stream_words(), word)) {
        return fmt::format("; {} is a fault of a stream, its site ends in /stream", word);
    }
    if (contains(step_words(), word)) {
        return fmt::format("; {} is a fault of a guard's step, its site ends in /step", word);
    }
    return {};
}

}  // namespace

std::size_t index_of(std::string_view word, std::span<const std::string_view> known,
                     std::string_view what) {
    const auto found = std::find(known.begin(), known.end(), word);
    if (found != known.end()) {
        return static_cast<std::size_t>(found - known.begin());
    }
    std::string hint = elsewhere(word);
    if (hint.empty()) {
        hint = did_you_mean(word, known);
    }
    if (hint.empty()) {
        hint = fmt::format(" (known: {})", fmt::join(known, ", "));
    }
    throw InputError("", fmt::format("unknown {} {}{}", what, in_quotes(word), hint));
}

std::span<const std::string_view> fate_words() {
    static const auto words = names_of<FateKind, fate_kind_count - 1>();
    return words;
}

std::span<const std::string_view> local_words() {
    static const auto words = names_of<LocalFate::Kind, 4>();
    return words;
}

std::span<const std::string_view> moment_words() {
    static const auto words = names_of<Moment, 3>();
    return words;
}

std::span<const std::string_view> trait_words() {
    static const auto words = names_of<Trait, trait_count>();
    return words;
}

std::span<const std::string_view> stream_words() {
    static const auto words = names_of<StreamFault::Kind, stream_kind_count>();
    return words;
}

std::span<const std::string_view> step_words() {
    static const auto words = names_of<StepFault::Kind, step_kind_count>();
    return words;
}

std::span<const std::string_view> error_words() {
    static const auto words = names_of<ErrorKind, error_kind_count>();
    return words;
}

}  // namespace drydock::faults
