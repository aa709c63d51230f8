#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

// Why removing it then was wrong, or empty.
std::string_view wrong_at(const SandboxLife& life, Time at) {
    for (const Span& held : life.held) {
        if (held.contains(at)) return "it was held";
        if (held.from > at) return "it was in a flight that handed it out afterwards";
    }
    return {};
}

std::string_view wrong_because(const History& history, const SandboxLife& life,
                               const RemovalSent& removal) {
    if (removal.process != life.process) return "it belongs to another owner";
    if (is_for_a_job(history, life, removal.span.from)) return {};
    return wrong_at(life, removal.span.from);
}

// A removal that names the sandbox otherwise than by its id shows only where the engine begins it.
void check_begun(const History& history, const SandboxLife& life, Violations& violations) {
    if (!life.removal_accepted || !life.is_removal_asked) return;
    if (is_for_a_job(history, life, *life.removal_accepted)) return;
    const std::string_view why = wrong_at(life, *life.removal_accepted);
    if (why.empty()) return;
    violations.push_back({"no_wrong_kill", describe(history, life),
                          fmt::format("its removal was asked for by name and begun at {}, but {}",
                                      faults::format_time(*life.removal_accepted), why)});
}

bool is_to_be_killed(const Judged& judged, const SandboxLife& life, std::string_view job) {
    return std::any_of(judged.kills.begin(), judged.kills.end(), [&](const JobKill& kill) {
        return kill.process == life.process && kill.lease == life.lease && kill.job == job;
    });
}

// A job may end its own processes.
void check_signals(const Judged& judged, Violations& violations) {
    for (const sim::ProcessTruth& process : judged.processes) {
        const SandboxLife* life = judged.history.find(process.sandbox);
        if (!life || process.job.empty() || process.killed_by == 0) continue;
        const sim::ProcessTruth& killer = judged.processes[process.killed_by - 1];
        const bool may = killer.job == process.job || is_to_be_killed(judged, *life, process.job);
        if (may) continue;
        violations.push_back(
            {"no_wrong_kill",
             fmt::format("job {} of {}", process.job,
                         judged.history.lease_name(life->process, life->lease)),
             fmt::format("its process {} was killed at {} by `{}`, and nobody had asked for that",
                         process.pid, faults::format_time(process.ended),
                         fmt::join(killer.argv, " ")),
             process.ended});
    }
}

}  // namespace

void check_no_wrong_kill(const Judged& judged, Violations& violations) {
    check_signals(judged, violations);
    for (const SandboxLife& life : judged.history.sandboxes) {
        bool is_told = false;
        for (const RemovalSent& removal : life.removals) {
            const std::string_view why = wrong_because(judged.history, life, removal);
            if (why.empty()) continue;
            is_told = true;
            violations.push_back({"no_wrong_kill", describe(judged.history, life),
                                  fmt::format("{} sent its removal at {}, but {}",
                                              judged.history.names->process_name(removal.process),
                                              faults::format_time(removal.span.from), why),
                                  removal.span.from});
        }
        if (!is_told) check_begun(judged.history, life, violations);
    }
}

}  // namespace drydock::scenarios
