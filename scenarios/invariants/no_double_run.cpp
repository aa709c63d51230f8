#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace drydock::scenarios {

namespace {

struct Begun {
    const SandboxLife* life = nullptr;
    const sim::ProcessTruth* process = nullptr;
};

// Until its very end: what was asked for at that instant may have come before it.
bool was_held(const SandboxLife& life, Time at) {
    return std::any_of(life.held.begin(), life.held.end(),
                       [at](const Span& held) { return held.from <= at && at <= held.to; });
}

/// Whether a step was about that job and in that sandbox.
template <class Step>
bool is_about(const Step& step, const Begun& begun) {
    return step.process == begun.life->process && step.lease == begun.life->lease &&
           step.job == begun.process->job && was_held(*begun.life, step.asked);
}

// An id names the work within a sandbox. So its caller may ask for it in the lease's next one; a
// client that does so by itself runs it twice.
bool is_asked_for(const Judged& judged, const Begun& begun) {
    return std::any_of(judged.launches.begin(), judged.launches.end(),
                       [&](const JobLaunch& launch) { return is_about(launch, begun); });
}

/// The first one in which the job of `later` had taken effect before.
Begun earlier(const Judged& judged, const Begun& later) {
    for (const sim::ProcessTruth& process : judged.processes) {
        if (&process == later.process) break;
        if (!process.begins_job || process.job != later.process->job) continue;
        const SandboxLife* life = judged.history.find(process.sandbox);
        const bool is_of_lease =
            life && life->process == later.life->process && life->lease == later.life->lease;
        if (!is_of_lease) continue;
        if (life == later.life || !is_asked_for(judged, later)) return {life, &process};
    }
    return {};
}

/// How often a step gave it that text.
std::ptrdiff_t times_given(const Judged& judged, const Begun& begun, std::string_view text) {
    return std::count_if(judged.inputs.begin(), judged.inputs.end(), [&](const JobInput& input) {
        return input.text == text && is_about(input, begun);
    });
}

// What a job is given is an effect too: no write may come twice.
void check_input(const Judged& judged, const Begun& begun, Violations& violations) {
    std::map<std::string_view, std::ptrdiff_t> writes;
    for (const std::string& text : begun.process->in)
        ++writes[text];
    for (const auto& [text, came] : writes) {
        const std::ptrdiff_t given = times_given(judged, begun, text);
        if (came <= given) continue;
        violations.push_back(
            {"no_double_run",
             fmt::format("job {} of {}", begun.process->job,
                         judged.history.lease_name(begun.life->process, begun.life->lease)),
             fmt::format("of the writes to its stdin, one of {} bytes came {} times, and may have "
                         "come {} times",
                         text.size(), came, given)});
    }
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
