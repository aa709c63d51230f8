#include "invariants/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

bool is_work(Operation operation) {
    return operation == Operation::container_create || operation == Operation::container_start ||
           operation == Operation::bootstrap;
}

// The latest moment at which the teardown of this sandbox can have begun, as seen from `before`: when
// its hold ended, or when the last step that made it ended.
Time teardown_began(const History& history, const SandboxLife& life, Time before) {
    Time began = life.life.from;
    for (const Span& held : life.held) {
        if (held.to <= before) began = std::max(began, held.to);
    }
    for (const Step& step : history.steps) {
        const bool is_its = step.site.process == life.process && step.site.lease == life.lease;
        if (is_its && is_work(step.site.operation) && step.span.to <= before) {
            began = std::max(began, step.span.to);
        }
    }
    return began;
}

// Sandboxes that the owner knew of at `at`: removed by id before, or made by an answered create.
bool is_left(const SandboxLife& life, Time at) {
    const bool is_under_removal = life.removal_accepted && *life.removal_accepted <= at;
    return life.life.contains(at) && !life.is_late && !is_under_removal;
}

void check_end(const Judged& judged, std::uint8_t process, Time at, Violations& violations) {
    for (const SandboxLife& life : judged.history.sandboxes) {
        if (life.process != process || !is_left(life, at)) continue;
        const Duration tried = at - teardown_began(judged.history, life, at);
        if (tried >= judged.policy.teardown_deadline) continue;
        violations.push_back(
            {"owner_teardown", describe(judged.history, life),
             fmt::format("its owner ended at {} and left it to the reaper, {:.1f}s into a teardown "
                         "that may take {:.1f}s",
                         at_time(at), std::chrono::duration<double>(tried).count(),
                         std::chrono::duration<double>(judged.policy.teardown_deadline).count())});
    }
}

}  // namespace

void check_owner_teardown(const Judged& judged, Violations& violations) {
    if (!judged.has_ledger) return;
    for (const auto& [process, at] : judged.history.normal_ends) {
        check_end(judged, process, at, violations);
    }
    for (const Call& call : judged.history.calls) {
        const bool gave_up = call.has_returned && call.error == ErrorKind::teardown &&
                             call.kind != CallKind::close && call.lease != 0;
        if (!gave_up) continue;
        for (const SandboxLife& life : judged.history.sandboxes) {
            const bool is_its = life.process == call.process && life.lease == call.lease;
            if (!is_its || !is_left(life, call.span.to)) continue;
            const Duration tried =
                call.span.to - teardown_began(judged.history, life, call.span.to);
            if (tried >= judged.policy.teardown_deadline) continue;
            violations.push_back({"owner_teardown", describe(judged.history, life),
                                  fmt::format("its teardown was given up at {}, before its deadline",
                                              at_time(call.span.to))});
        }
    }
}

}  // namespace drydock::scenarios
