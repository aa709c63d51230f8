#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

bool is_of(const SandboxLife& life, std::uint8_t process, std::uint32_t lease) {
    return life.process == process && (life.lease == lease || lease == 0);
}

std::vector<Span> covers_of(const Judged& judged, const SandboxLife& life) {
    std::vector<Span> covers = life.held;
    for (const Call& call : judged.history.calls) {
        if (is_of(life, call.process, call.lease)) covers.push_back(call.span);
    }
    for (const RowSpan& row : judged.history.rows) {
        const bool is_its = is_of(life, row.process, row.lease) && row.lease != 0 &&
                            row.attempt == life.truth->attempt;
        if (is_its) covers.push_back(row.span);
    }
    if (life.removal_accepted) covers.push_back({*life.removal_accepted, forever});
    std::sort(covers.begin(), covers.end(),
              [](const Span& a, const Span& b) { return a.from < b.from; });
    return covers;
}

// The first moment of its life at which nobody was bound to remove it.
std::optional<Time> first_uncovered(const SandboxLife& life, const std::vector<Span>& covers) {
    Time covered = life.life.from;
    for (const Span& span : covers) {
        if (span.from > covered) break;
        covered = std::max(covered, span.to);
    }
    if (covered >= life.life.to) return std::nullopt;
    return covered;
}

bool is_held_at_end(const SandboxLife& life) {
    return !life.held.empty() && life.held.back().to == forever;
}

bool is_expected(const Judged& judged, const SandboxLife& life) {
    const std::string name = judged.history.lease_name(life.process, life.lease);
    return std::find(judged.expected_held.begin(), judged.expected_held.end(), name) !=
           judged.expected_held.end();
}

std::string lost_story(const Judged& judged, const SandboxLife& life, Time lost) {
    const bool is_there = life.life.to == forever;
    const Time end = std::min(life.life.to, judged.history.end);
    const auto leaked = std::chrono::duration_cast<std::chrono::seconds>(end - lost);
    return fmt::format(
        "it was born at {}, and from {} on nobody held it, worked on it or had it on record; {} "
        "container-second{}{}",
        faults::format_time(life.life.from), faults::format_time(lost), leaked.count(),
        leaked.count() == 1 ? "" : "s",
        is_there ? " until the run's end, and it is still there" : "");
}

// Somebody was bound to remove it all the time, and never did.
std::string kept_story(const SandboxLife& life) {
    if (!is_held_at_end(life)) return "it is still there";
    return fmt::format("it is still there, held since {}, and the scenario expects no hold",
                       faults::format_time(life.held.back().from));
}

}  // namespace

void check_no_leak(const Judged& judged, Violations& violations) {
    for (const SandboxLife& life : judged.history.sandboxes) {
        const bool is_there = life.life.to == forever;
        const std::optional<Time> lost = first_uncovered(life, covers_of(judged, life));
        const bool is_kept = is_held_at_end(life) && is_expected(judged, life);
        if (is_there && !is_kept) {
            violations.push_back({"no_leak", describe(judged.history, life),
                                  lost ? lost_story(judged, life, *lost) : kept_story(life),
                                  lost ? *lost : judged.history.end});
        } else if (judged.has_ledger && lost) {
            violations.push_back(
                {"no_leak", describe(judged.history, life), lost_story(judged, life, *lost), lost});
        }
    }
}

}  // namespace drydock::scenarios
