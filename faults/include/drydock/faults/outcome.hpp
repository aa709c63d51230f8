#pragma once

#include <drydock/faults/plan.hpp>
#include <drydock/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::faults {

/// How a run ended.
enum class Verdict : std::uint8_t {
    pass,
    violation,         ///< an invariant is broken
    expectation,       ///< the scenario's `expect` is not met
    void_,             ///< nothing chosen had an effect: the run shows nothing
    nondeterministic,  ///< the same plan gave another run
};

/// As in files: `void_` is "void".
std::string_view name(Verdict verdict);

/// One broken invariant.
struct Violation {
    std::string invariant;
    std::string subject;          ///< the sandbox, lease or job
    std::string story;            ///< the causal chain, told
    std::optional<Time> since{};  ///< the first moment after which the rule could not be met

    bool operator==(const Violation&) const = default;
};

/// What a search needs to know about a run.
struct Outcome {
    Verdict verdict = Verdict::pass;
    std::vector<Violation> violations{};
    Plan plan{};                               ///< what the run followed; replays it
    std::vector<std::string> inert{};          ///< sites whose choice had no witness
    std::vector<std::string> unknown_sites{};  ///< sites of the plan that did not come up
    std::uint64_t digest = 0;                  ///< over the run's events
    bool is_void = false;  ///< independent of the verdict: an invariant may break in a void run
};

}  // namespace drydock::faults
