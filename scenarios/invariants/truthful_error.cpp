#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace drydock::scenarios {

namespace {

bool changes_something(Operation operation) {
    return operation == Operation::container_create || operation == Operation::container_start ||
           operation == Operation::container_remove || operation == Operation::exec_create ||
           operation == Operation::exec_start;
}

// Of an attempt itself, not of its teardown.
bool is_attempts_own(const Step& step) {
    switch (step.site.operation) {
        case Operation::container_create:
        case Operation::container_start:
        case Operation::container_inspect:
        case Operation::bootstrap:
        case Operation::staging: return true;
        default: return false;
    }
}

std::optional<ErrorKind> failed_as(const Step& step) {
    if (step.read_as) return step.read_as;
    const bool is_local =
        step.site.operation == Operation::bootstrap || step.site.operation == Operation::staging;
    if (is_local && step.is_completed && step.value != 0) {
        return static_cast<ErrorKind>(step.value - 1);
    }
    return std::nullopt;
}

void contradict(const Judged& judged, const Step& step, std::string_view why,
                Violations& violations) {
    violations.push_back({"truthful_error", faults::to_string(step.site, *judged.history.names),
                          fmt::format("its error says {}, landed {}, but {}", name(*step.read_as),
                                      name(step.landed), why),
                          step.span.to});
}

void check_landed(const Judged& judged, const Step& step, Violations& violations) {
    if (!step.read_as || !changes_something(step.site.operation)) return;
    if (step.landed == Landed::no && step.was_applied) {
        contradict(judged, step, "the server applied it", violations);
    } else if (step.landed == Landed::yes && !step.was_applied && !step.was_answered_well) {
        contradict(judged, step, "the server neither applied it nor said so", violations);
    } else if (step.landed == Landed::unknown && *step.read_as == ErrorKind::connect) {
        contradict(judged, step, "it was never sent", violations);
    }
}

bool are_of_one_lease(const Call& a, const Call& b) {
    return a.process == b.process && a.lease == b.lease;
}

// When the flight began that this acquire shared: it may have been another call's before.
Time flight_began(const History& history, const Call& call) {
    Time began = call.span.from;
    for (const Call& other : std::views::reverse(history.calls)) {
        const bool shares = other.kind == CallKind::acquire && are_of_one_lease(other, call) &&
                            other.span.from < began && other.span.to >= began;
        if (shares) began = other.span.from;
    }
    return began;
}

bool is_within(const History& history, const Step& step, const Call& call) {
    const bool is_its = step.site.process == call.process && step.site.lease == call.lease;
    return is_its && step.span.to >= flight_began(history, call) && step.span.from <= call.span.to;
}

// A failure of that kind of the attempt's own steps stands behind the call's primary error.
bool is_explained_by_a_step(const Judged& judged, const Call& call) {
    return std::any_of(judged.history.steps.begin(), judged.history.steps.end(),
                       [&](const Step& step) {
                           return is_within(judged.history, step, call) && is_attempts_own(step) &&
                                  failed_as(step) == call.error;
                       });
}

bool was_ended_by_others(const Judged& judged, const Call& call) {
    return std::any_of(
        judged.history.calls.begin(), judged.history.calls.end(), [&](const Call& other) {
            const bool ends_it = other.kind == CallKind::cleanup || other.kind == CallKind::close;
            return ends_it && other.process == call.process &&
                   (other.lease == call.lease || other.lease == 0) &&
                   other.span.from <= call.span.to;
        });
}

// Another acquire of the lease that shares this one's flight may be the one that was struck.
bool was_struck(const Judged& judged, const Call& call) {
    return std::any_of(judged.history.calls.begin(), judged.history.calls.end(),
                       [&](const Call& other) {
                           return other.process == call.process && other.lease == call.lease &&
                                  other.struck && *other.struck <= call.span.to;
                       });
}

bool had_ledger_fault(const Judged& judged, const Call& call) {
    return std::any_of(judged.history.steps.begin(), judged.history.steps.end(),
                       [&](const Step& step) {
                           return is_within(judged.history, step, call) && step.value != 0 &&
                                  step.site.operation == Operation::ledger_put;
                       });
}

// A sandbox of the lease that nobody could get rid of: acquire fails closed without trying.
bool met_a_leftover(const Judged& judged, const Call& call) {
    return std::any_of(judged.history.rows.begin(), judged.history.rows.end(),
                       [&](const RowSpan& row) {
                           return row.process == call.process && row.lease == call.lease &&
                                  row.span.from < call.span.to && row.span.to >= call.span.to;
                       });
}

bool is_explained(const Judged& judged, const Call& call) {
    switch (*call.error) {
        case ErrorKind::cancelled:
            return was_struck(judged, call) || was_ended_by_others(judged, call) ||
                   is_explained_by_a_step(judged, call);
        case ErrorKind::deadline: return judged.has_deadlines;
        case ErrorKind::ledger: return had_ledger_fault(judged, call);
        case ErrorKind::teardown: return !judged.has_ledger || met_a_leftover(judged, call);
        // Judged from what was read of the sandbox, not from one exchange.
        case ErrorKind::provisioning: return true;
        // Also what was asked for: refused at once.
        case ErrorKind::invalid:
            return is_explained_by_a_step(judged, call) || was_ended_by_others(judged, call) ||
                   call.span.from == call.span.to;
        default: return is_explained_by_a_step(judged, call);
    }
}

void check_primary(const Judged& judged, const Call& call, Violations& violations) {
    const bool is_judged = call.kind == CallKind::acquire && call.has_returned && call.error;
    if (!is_judged || is_explained(judged, call)) return;
    violations.push_back(
        {"truthful_error", judged.history.lease_name(call.process, call.lease),
         fmt::format("acquire ended at {} with {}, which no step of its attempt failed with",
                     faults::format_time(call.span.to), name(*call.error)),
         call.span.to});
}

bool is_of_job(CallKind kind) {
    return kind == CallKind::run || kind == CallKind::start || kind == CallKind::wait ||
           kind == CallKind::stdin_ || kind == CallKind::kill;
}

// Nothing of the world's is `internal`: who says so has lost the class on the way (S2).
void check_class(const Judged& judged, const Call& call, Violations& violations) {
    const bool is_lost = call.has_returned && call.error == ErrorKind::internal;
    if (!is_of_job(call.kind) || !is_lost) return;
    violations.push_back({"truthful_error", judged.history.lease_name(call.process, call.lease),
                          fmt::format("{} ended at {} with internal, which is nothing that can "
                                      "happen to a job",
                                      name(call.kind), faults::format_time(call.span.to)),
                          call.span.to});
}

}  // namespace

void check_truthful_error(const Judged& judged, Violations& violations) {
    if (judged.is_library) {
        for (const Step& step : judged.history.steps)
            check_landed(judged, step, violations);
    }
    for (const Call& call : judged.history.calls) {
        check_primary(judged, call, violations);
        check_class(judged, call, violations);
    }
}

}  // namespace drydock::scenarios
