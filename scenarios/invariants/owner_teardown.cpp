#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

bool is_work(Operation operation) {
    return operation == Operation::container_create || operation == Operation::container_start ||
           operation == Operation::bootstrap;
}

// When the incarnation began that lives up to `at`, if it is not the first one: it only recovers,
// and does so from its start on. A create that its predecessor sent may land meanwhile.
std::optional<Time> recovery_began(const History& history, std::uint8_t process, Time at) {
    std::optional<Time> began;
    bool is_first = true;
    for (const auto& [lived, span] : history.lives) {
        if (lived != process) continue;
        if (!is_first && span.from < at) began = span.from;
        is_first = false;
    }
    return began;
}

// When a hold ended for its owner: not only where its last holder gave it back, but also where a
// job took the sandbox with it, whose call then went on to the end of the teardown.
Time gave_up(const History& history, const SandboxLife& life, const Span& held) {
    const auto first =
        std::find_if(life.removals.begin(), life.removals.end(), [&](const RemovalSent& removal) {
            const Time at = removal.span.from;
            const bool is_its = removal.process == life.process && held.contains(at);
            return is_its && is_for_a_job(history, life, at);
        });
    return first == life.removals.end() ? held.to : first->span.from;
}

// The latest moment at which the teardown of this sandbox can have begun, as seen from `before`:
// when its hold ended, or when the last step that made it ended.
Time teardown_began(const History& history, const SandboxLife& life, Time before) {
    Time began = life.life.from;
    for (const Span& held : life.held) {
        if (held.to <= before) began = std::max(began, gave_up(history, life, held));
    }
    for (const Step& step : history.steps) {
        const bool is_its = step.site.process == life.process && step.site.lease == life.lease;
        if (is_its && is_work(step.site.operation) && step.span.to <= before) {
            began = std::max(began, step.span.to);
        }
    }
    const std::optional<Time> recovery = recovery_began(history, life.process, before);
    return recovery ? std::min(began, *recovery) : began;
}

// The owner knows a sandbox that it has addressed by its id.
bool is_known(const History& history, const SandboxLife& life, Time at) {
    return std::any_of(history.steps.begin(), history.steps.end(), [&](const Step& step) {
        return step.subject == life.truth->number && step.site.process == life.process &&
               step.span.from <= at;
    });
}

bool is_left(const History& history, const SandboxLife& life, Time at) {
    const bool is_under_removal = life.removal_accepted && *life.removal_accepted <= at;
    return life.life.contains(at) && !life.is_late && !is_under_removal &&
           is_known(history, life, at);
}

void check_end(const Judged& judged, std::uint8_t process, Time at, Violations& violations) {
    for (const SandboxLife& life : judged.history.sandboxes) {
        if (life.process != process || !is_left(judged.history, life, at)) continue;
        const Duration tried = at - teardown_began(judged.history, life, at);
        if (tried >= judged.policy.teardown_deadline) continue;
        violations.push_back(
            {"owner_teardown", describe(judged.history, life),
             fmt::format("its owner ended at {} and left it to the reaper, {:.1f}s into a teardown "
                         "that may take {:.1f}s",
                         faults::format_time(at), std::chrono::duration<double>(tried).count(),
                         std::chrono::duration<double>(judged.policy.teardown_deadline).count()),
             at});
    }
}

// Between the end of a call and the first remove.
constexpr Duration turnaround = std::chrono::seconds(1);

// When somebody was at it: it was held, a call of its lease was under way, or its removal.
std::vector<Span> attended(const Judged& judged, const SandboxLife& life) {
    std::vector<Span> spans = life.held;
    for (const Call& call : judged.history.calls) {
        const bool is_its =
            call.process == life.process && (call.lease == life.lease || call.lease == 0);
        if (is_its) spans.push_back(call.span);
    }
    for (const RemovalSent& removal : life.removals) {
        spans.push_back({removal.span.from, removal.span.from + judged.policy.teardown_deadline});
    }
    if (life.removal_accepted) spans.push_back({*life.removal_accepted, forever});
    std::sort(spans.begin(), spans.end(),
              [](const Span& a, const Span& b) { return a.from < b.from; });
    return spans;
}

// A sandbox that nobody is at while its owner's first incarnation lives, and whose teardown was not
// tried to its deadline, was forgotten: the ledger is for owners that died or did what they could.
void check_forgotten(const Judged& judged, const SandboxLife& life, Time owner_end,
                     Violations& violations) {
    if (life.is_late || life.life.from >= owner_end) return;
    Time at = life.life.from;
    for (const Span& span : attended(judged, life)) {
        if (span.from - at > turnaround) break;
        at = std::max(at, span.to);
    }
    const Time idle_until = std::min(life.life.to, owner_end);
    const bool is_idle = at < idle_until && idle_until - at > turnaround;
    if (!is_idle || !is_known(judged.history, life, at)) return;
    if (at - teardown_began(judged.history, life, at) >= judged.policy.teardown_deadline) return;
    violations.push_back({"owner_teardown", describe(judged.history, life),
                          fmt::format("from {} on its living owner neither held it nor removed it",
                                      faults::format_time(at)),
                          at});
}

void check_all_forgotten(const Judged& judged, Violations& violations) {
    for (const SandboxLife& life : judged.history.sandboxes) {
        const auto owner =
            std::find_if(judged.history.lives.begin(), judged.history.lives.end(),
                         [&](const auto& lived) { return lived.first == life.process; });
        if (owner == judged.history.lives.end()) continue;
        check_forgotten(judged, life, std::min(owner->second.to, judged.history.end), violations);
    }
}

}  // namespace

void check_owner_teardown(const Judged& judged, Violations& violations) {
    if (!judged.has_ledger) return;
    check_all_forgotten(judged, violations);
    for (const auto& [process, at] : judged.history.normal_ends) {
        check_end(judged, process, at, violations);
    }
    for (const Call& call : judged.history.calls) {
        const bool gave_up = call.has_returned && call.error == ErrorKind::teardown &&
                             call.kind != CallKind::close && call.lease != 0;
        if (!gave_up) continue;
        for (const SandboxLife& life : judged.history.sandboxes) {
            const bool is_its = life.process == call.process && life.lease == call.lease;
            if (!is_its || !is_left(judged.history, life, call.span.to)) continue;
            const Duration tried =
                call.span.to - teardown_began(judged.history, life, call.span.to);
            if (tried >= judged.policy.teardown_deadline) continue;
            violations.push_back(
                {"owner_teardown", describe(judged.history, life),
                 fmt::format("its teardown was given up at {}, before its deadline",
                             faults::format_time(call.span.to)),
                 call.span.to});
        }
    }
}

}  // namespace drydock::scenarios
