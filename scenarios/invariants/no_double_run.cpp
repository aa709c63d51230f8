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

std::uint64_t given(const Judged& judged, std::uint8_t process, std::string_view job) {
    std::uint64_t bytes = 0;
    for (const JobInput& input : judged.inputs) {
        if (input.process == process && input.job == job) bytes += input.bytes;
    }
    return bytes;
}

// What a job is given is an effect too: no byte of it may come twice.
void check_input(const Judged& judged, const Begun& begun, Violations& violations) {
    const std::uint64_t most = given(judged, begun.life->process, begun.process->job);
    if (begun.process->in <= most) return;
    violations.push_back(
        {"no_double_run",
         fmt::format("job {} of {}", begun.process->job,
                     judged.history.lease_name(begun.life->process, begun.life->lease)),
         fmt::format("it was given {} bytes on its stdin, and got {}", most, begun.process->in)});
}

}  // namespace

void check_no_double_run(const Judged& judged, Violations& violations) {
    for (const sim::ProcessTruth& process : judged.processes) {
        if (!process.begins_job) continue;
        const Begun begun{judged.history.find(process.sandbox), &process};
        if (!begun.life) continue;
        check_input(judged, begun, violations);
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
