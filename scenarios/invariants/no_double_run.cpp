#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

namespace drydock::scenarios {

namespace {

struct Begun {
    const SandboxLife* life = nullptr;
    const sim::ProcessTruth* process = nullptr;
};

/// The first one in whose name the job of `later` had taken effect before.
Begun earlier(const Judged& judged, const Begun& later) {
    for (const sim::ProcessTruth& process : judged.processes) {
        if (&process == later.process) break;
        if (!process.begins_job || process.job != later.process->job) continue;
        const SandboxLife* life = judged.history.find(process.sandbox);
        if (life && life->process == later.life->process) return {life, &process};
    }
    return {};
}

}  // namespace

void check_no_double_run(const Judged& judged, Violations& violations) {
    for (const sim::ProcessTruth& process : judged.processes) {
        if (!process.begins_job) continue;
        const Begun begun{judged.history.find(process.sandbox), &process};
        if (!begun.life) continue;
        const Begun first = earlier(judged, begun);
        if (!first.process) continue;
        violations.push_back(
            {"no_double_run",
             fmt::format("job {} of {}", process.job,
                         judged.history.lease_name(begun.life->process, begun.life->lease)),
             fmt::format("it began at {} in {}, and again at {} in {}",
                         faults::format_time(first.process->begun),
                         describe(judged.history, *first.life), faults::format_time(process.begun),
                         describe(judged.history, *begun.life)),
             process.begun});
    }
}

}  // namespace drydock::scenarios
