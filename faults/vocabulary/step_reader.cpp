#include "vocabulary/step_reader.hpp"

#include "vocabulary/call_syntax.hpp"
#include "vocabulary/words.hpp"

#include <fmt/format.h>

namespace drydock::faults {

StepFault step_fault_from_word(std::string_view text) {
    using Kind = StepFault::Kind;
    const Call call = parse_call(text);
    const auto kind = static_cast<Kind>(index_of(call.word, step_words(), "step fault"));
    check_arguments(call, kind == Kind::slow ? 1 : 0, 1, fmt::format("{}(2s)", call.word));
    return {kind, call.arguments.empty() ? Duration{} : duration_argument(call)};
}

}  // namespace drydock::faults
