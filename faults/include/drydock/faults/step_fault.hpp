#pragma once

#include <drydock/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::faults {

/// What happens to the guard of a job in a sandbox (docs/jobs.md) when it is about to take a step.
struct StepFault {
    enum class Kind : std::uint8_t {
        kill_guard,  ///< SIGKILL to the guard's shell, and to nothing else
        kill_child,  ///< to the job that it runs
        kill_all,    ///< to both at the same instant
        slow,        ///< the step is taken later
    };

    Kind kind = Kind::kill_guard;
    Duration by{};  ///< so much later

    bool operator==(const StepFault&) const = default;
};

inline constexpr std::size_t step_kind_count = 4;

std::string_view name(StepFault::Kind kind);

/// Why such a fault makes no sense or changes nothing, if so.
std::optional<std::string> why_illegal(const StepFault& fault);

/// The faults of steps for code.
namespace steps {
StepFault kill_guard(Duration later = {});
StepFault kill_child(Duration later = {});
StepFault kill_all(Duration later = {});
StepFault slow(Duration by);
}  // namespace steps

}  // namespace drydock::faults
