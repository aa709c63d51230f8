#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

namespace drydock::scenarios {

namespace {

bool is_removal_or_its_confirmation(Operation operation) {
    return operation == Operation::container_remove || operation == Operation::container_inspect;
}

bool is_of_job(Operation operation) {
    return operation == Operation::exec_create || operation == Operation::exec_start ||
           operation == Operation::exec_inspect || operation == Operation::exec_read ||
           operation == Operation::archive_put || operation == Operation::archive_get;
}

// When its last handle was given back, if it was.
std::optional<Time> released_at(const SandboxLife& life) {
    if (life.held.empty() || life.held.back().to == forever) return std::nullopt;
    return life.held.back().to;
}

}  // namespace

void check_no_use_after_release(const Judged& judged, Violations& violations) {
    for (const Step& step : judged.history.steps) {
        if (step.subject == 0 || is_removal_or_its_confirmation(step.site.operation)) continue;
        const SandboxLife* life = judged.history.find(step.subject);
        if (!life) continue;
        const auto released = released_at(*life);
        if (!released || step.span.from < *released) continue;
        // At the very instant a call about a job may not have heard of another actor's release yet.
        if (step.span.from == *released && is_of_job(step.site.operation)) continue;
        violations.push_back(
            {"no_use_after_release", describe(judged.history, *life),
             fmt::format("it was released at {}, and got {} at {}", faults::format_time(*released),
                         name(step.site.operation), faults::format_time(step.span.from)),
             step.span.from});
    }
}

}  // namespace drydock::scenarios
