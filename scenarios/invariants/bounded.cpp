#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace drydock::scenarios {

namespace {

// Records, delays between tries and deliveries add up to at most this.
constexpr Duration slack = std::chrono::seconds(5);

// A record is written to its end, however long a chosen fault makes that.
Duration writing(const History& history, const Call& call) {
    Duration total{};
    for (const Step& step : history.steps) {
        const bool is_its = step.site.process == call.process && step.site.lease == call.lease;
        const bool is_write = step.site.operation == Operation::ledger_put;
        if (!is_its || !is_write) continue;
        const Time from = std::max(step.span.from, *call.struck);
        const Time to = std::min(step.span.to, call.span.to);
        if (from < to) total += to - from;
    }
    return total;
}

bool is_alone(const History& history, const Call& call) {
    return std::none_of(history.calls.begin(), history.calls.end(), [&](const Call& other) {
        const bool is_its = other.process == call.process && other.lease == call.lease;
        const bool overlaps = other.span.from < call.span.to && call.span.from < other.span.to;
        return &other != &call && is_its && overlaps;
    });
}

void check_attempts(const Judged& judged, const Call& call, Violations& violations) {
    std::set<std::uint32_t> attempts;
    std::optional<Time> too_many;
    for (const SandboxLife& life : judged.history.sandboxes) {
        const bool is_its = life.process == call.process && life.lease == call.lease;
        if (is_its && !life.is_late && call.span.contains(life.life.from)) {
            const bool is_new = attempts.insert(life.truth->attempt).second;
            if (is_new && attempts.size() == judged.policy.attempts + 1) too_many = life.life.from;
        }
    }
    if (attempts.size() <= judged.policy.attempts) return;
    violations.push_back(
        {"bounded", judged.history.lease_name(call.process, call.lease),
         fmt::format("one acquire made {} sandboxes, and the policy allows {} attempts",
                     attempts.size(), judged.policy.attempts),
         too_many});
}

void check_return(const Judged& judged, const Call& call, Violations& violations) {
    if (!call.struck || !call.has_returned) return;
    const Duration bound = judged.policy.teardown_deadline + judged.policy.request_timeout + slack +
                           writing(judged.history, call);
    const Duration took = call.span.to - *call.struck;
    if (took <= bound) return;
    violations.push_back(
        {"bounded", judged.history.lease_name(call.process, call.lease),
         fmt::format("{} was cancelled at {} and returned {:.1f}s later, past {:.1f}s",
                     name(call.kind), faults::format_time(*call.struck),
                     std::chrono::duration<double>(took).count(),
                     std::chrono::duration<double>(bound).count()),
         *call.struck + bound});
}

// An acquire returns by its own deadline, whatever it leaves to the nursery.
void check_deadline(const Judged& judged, const Call& call, Violations& violations) {
    if (!call.deadline || !call.has_returned) return;
    const Time due = call.span.from + *call.deadline;
    if (call.span.to <= due + slack) return;
    violations.push_back({"bounded", judged.history.lease_name(call.process, call.lease),
                          fmt::format("acquire returned at {}, past its deadline at {}",
                                      faults::format_time(call.span.to), faults::format_time(due)),
                          due});
}

/// When the last process of the job had ended; nothing if one ran on, or none ever began.
std::optional<Time> end_of_job(const Judged& judged, const JobClaim& claim) {
    std::optional<Time> end;
    for (const sim::ProcessTruth& process : judged.processes) {
        const SandboxLife* life = judged.history.find(process.sandbox);
        const bool is_its = life && life->process == claim.process && life->lease == claim.lease &&
                            process.job == claim.job && process.begun <= claim.at;
        if (!is_its) continue;
        if (!process.has_ended || process.ended > claim.at) return std::nullopt;
        end = std::max(end.value_or(process.ended), process.ended);
    }
    return end;
}

// Links fail and are made again in far less than that.
void check_job(const Judged& judged, const JobClaim& claim, Violations& violations) {
    constexpr Duration bound = std::chrono::hours(1);
    const std::optional<Time> end = end_of_job(judged, claim);
    if (!end || claim.at <= std::max(*end, claim.asked) + bound) return;
    violations.push_back({"bounded",
                          fmt::format("job {} of {}", claim.job,
                                      judged.history.lease_name(claim.process, claim.lease)),
                          fmt::format("it had ended at {}, and who waited for it heard so at {}",
                                      faults::format_time(*end), faults::format_time(claim.at)),
                          std::max(*end, claim.asked) + bound});
}

}  // namespace

void check_bounded(const Judged& judged, Violations& violations) {
    for (const Call& call : judged.history.calls) {
        if (call.kind == CallKind::acquire && is_alone(judged.history, call)) {
            check_attempts(judged, call, violations);
        }
        check_return(judged, call, violations);
        if (judged.is_library) check_deadline(judged, call, violations);
    }
    for (const JobClaim& claim : judged.claims)
        check_job(judged, claim, violations);
}

}  // namespace drydock::scenarios
