#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

// Removes that follow each other within this are one pursuit: the client is between two tries.
Duration patience(const Policy& policy) { return policy.teardown_deadline; }

Time removal_end(const SandboxLife& life, const RemovalSent& removal) {
    return life.removal_accepted && *life.removal_accepted >= removal.span.from &&
                   *life.removal_accepted <= removal.span.to
               ? forever
               : removal.span.to;
}

// When the owner was removing it: from the first remove by id, over tries that follow in time, to
// the end of the last one's exchange; from an accepted one on to its end.
std::vector<Span> under_removal(const SandboxLife& life, const Policy& policy) {
    std::vector<Span> spans;
    for (const RemovalSent& removal : life.removals) {
        const Span span{removal.span.from, removal_end(life, removal)};
        const bool goes_on = !spans.empty() && (spans.back().to == forever ||
                                                span.from - spans.back().to <= patience(policy));
        if (goes_on) {
            spans.back().to = std::max(spans.back().to, span.to);
        } else {
            spans.push_back(span);
        }
    }
    // Also one that the server began by itself, perhaps before the owner's.
    if (life.removal_accepted) spans.push_back({*life.removal_accepted, forever});
    std::sort(spans.begin(), spans.end(),
              [](const Span& a, const Span& b) { return a.from < b.from; });
    return spans;
}

// Look-ups that a chosen fault held up do not count against the bound of a late landing.
Duration held_up(const History& history, const SandboxLife& life) {
    Duration total{};
    for (const Step& step : history.steps) {
        const bool is_look_up = step.site.operation == Operation::late_lookup ||
                                step.site.operation == Operation::container_list ||
                                step.site.operation == Operation::container_inspect ||
                                step.site.operation == Operation::ledger_put;
        const bool is_its = step.site.process == life.process && step.site.lease == life.lease;
        const bool has_failed = step.read_as || is_transport_failure(step);
        if (is_look_up && is_its && has_failed && step.span.from >= life.life.from) {
            total +=
                std::min(step.span.to, history.end) - step.span.from + std::chrono::seconds(16);
        }
    }
    return total;
}

// When the sandbox counts: existing and not under removal, and past its bound if it landed late.
std::vector<Span> counting(const Judged& judged, const SandboxLife& life) {
    Time from = life.life.from;
    if (life.is_late) {
        from += judged.policy.late_watch + judged.policy.request_timeout +
                held_up(judged.history, life);
    }
    std::vector<Span> spans;
    for (const Span& removal : under_removal(life, judged.policy)) {
        if (removal.from > from) spans.push_back({from, std::min(removal.from, life.life.to)});
        from = std::max(from, removal.to);
    }
    if (from < life.life.to) spans.push_back({from, life.life.to});
    return spans;
}

std::optional<Time> overlap(const std::vector<Span>& some, const std::vector<Span>& others) {
    for (const Span& a : some) {
        for (const Span& b : others) {
            const Time from = std::max(a.from, b.from);
            if (from < std::min(a.to, b.to)) return from;
        }
    }
    return std::nullopt;
}

}  // namespace

void check_one_per_lease(const Judged& judged, Violations& violations) {
    const auto& sandboxes = judged.history.sandboxes;
    for (std::size_t i = 0; i < sandboxes.size(); ++i) {
        for (std::size_t k = i + 1; k < sandboxes.size(); ++k) {
            const SandboxLife& a = sandboxes[i];
            const SandboxLife& b = sandboxes[k];
            const bool is_same = a.process == b.process && a.lease == b.lease;
            if (!is_same || a.life.to <= b.life.from) continue;
            const auto both = overlap(counting(judged, a), counting(judged, b));
            if (!both) continue;
            violations.push_back(
                {"one_per_lease", describe(judged.history, b),
                 fmt::format("from {} on it existed beside {}, which nobody was removing",
                             faults::format_time(*both), describe(judged.history, a)),
                 both});
        }
    }
}

}  // namespace drydock::scenarios
