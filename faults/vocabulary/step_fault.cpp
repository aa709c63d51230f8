#include <drydock/faults/duration.hpp>
#include <drydock/faults/step_fault.hpp>

#include <fmt/format.h>

#include <array>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, step_kind_count> step_names{"kill_guard", "kill_child",
                                                                   "kill_all", "slow"};

}  // namespace

std::string_view name(StepFault::Kind kind) {
    return step_names.at(static_cast<std::size_t>(kind));
}

std::optional<std::string> why_illegal(const StepFault& fault) {
    if (fault.by < Duration{} || fault.by > max_duration) {
        return fmt::format("{} waits at most {}", name(fault.kind), format_duration(max_duration));
    }
    const bool changes_nothing = fault.kind == StepFault::Kind::slow && fault.by == Duration{};
    return changes_nothing ? std::optional<std::string>("a slow step takes longer than 0s")
                           : std::nullopt;
}

namespace steps {

StepFault kill_guard(Duration later) { return {StepFault::Kind::kill_guard, later}; }
StepFault kill_child(Duration later) { return {StepFault::Kind::kill_child, later}; }
StepFault kill_all(Duration later) { return {StepFault::Kind::kill_all, later}; }
StepFault slow(Duration by) { return {StepFault::Kind::slow, by}; }

}  // namespace steps
}  // namespace drydock::faults
