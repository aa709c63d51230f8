// A guard that knows nothing of the job, or cannot go on: what has become of the launch.
#include "jobs/waiting.hpp"

#include <utility>

namespace drydock::jobs {

namespace {

Error never_heard_of() {
    return Error({.kind = ErrorKind::not_found,
                  .operation = Operation::exec_read,
                  .message = "no job of that id is known in the sandbox"});
}

Error no_guard_possible(const std::string& why) {
    std::string message =
        "the sandbox cannot run the guard, which needs a shell's usual tools, /proc, and /.drydock "
        "writable in the sandbox's own layer, or has no such working directory";
    if (!why.empty()) message.append(": ").append(why);
    return Error({.kind = ErrorKind::invalid,
                  .operation = Operation::exec_inspect,
                  .message = std::move(message)});
}

}  // namespace

// The guard has seen no claim. A launch of ours may be under way or lost; what was claimed once and
// is not any more has lost its files, and must not be launched again.
awaitable<Waiting::Verdict> Waiting::meet_absence() {
    if (session_.has_begun()) {
        co_return may_still_run(Error({.kind = ErrorKind::not_found,
                                       .operation = Operation::exec_read,
                                       .message = "the job's files are gone from its sandbox"}));
    }
    const detail::LaunchedJob* const launched = session_.launched();
    if (launched == nullptr) co_return never_heard_of();
    // By value: another call may see the job's end meanwhile.
    const detail::LaunchedJob job = *launched;
    Result<LaunchState> state = co_await look_at_launch(session_, job.exec);
    Verdict verdict;
    if (!state) {
        verdict = co_await meet_failure(state.error());
    } else if (*state == LaunchState::begun) {
        session_.note_begun();
    } else if (*state == LaunchState::impossible) {
        verdict = no_guard_possible("");
    } else if (*state == LaunchState::lost) {
        verdict = co_await launch_again(job.spec);
    } else {
        verdict = co_await settle();
    }
    co_return verdict;
}

// The launcher runs and has not claimed yet.
awaitable<Waiting::Verdict> Waiting::settle() {
    const Policy& policy = session_.core->policy;
    const Time now = session_.core->runtime.now();
    if (!absent_since_) absent_since_ = now;
    if (now >= *absent_since_ + policy.ready_timeout) {
        co_return may_still_run(Error({.kind = ErrorKind::timeout,
                                       .operation = Operation::exec_inspect,
                                       .message = "the launch did not claim the job in time"}));
    }
    co_await pause(policy.settle);
    co_return std::nullopt;
}

awaitable<Waiting::Verdict> Waiting::launch_again(JobSpec spec) {
    const Policy& policy = session_.core->policy;
    if (launches_ >= policy.attempts) {
        co_return may_still_run(Error({.kind = ErrorKind::unavailable,
                                       .operation = Operation::exec_inspect,
                                       .message = "each launch ended without a claim"}));
    }
    const Duration delay =
        delay_after(policy.backoff, launches_++, session_.core->runtime.random_bits());
    co_await pause(delay);
    if (is_late()) co_return std::nullopt;
    absent_since_.reset();
    session_.jobs().is_prepared = false;
    Result<void> done = co_await prepare(session_);
    if (done) done = co_await launch(session_, spec);
    if (done) co_return std::nullopt;
    const Error error = done.error();
    Verdict verdict = co_await meet_failure(error);
    co_return verdict;
}

// If its launcher says so too, no job can run there at all.
awaitable<Waiting::Verdict> Waiting::meet_broken(Ending ending) {
    Verdict verdict;
    const detail::LaunchedJob* const launched = session_.launched();
    if (launched != nullptr) {
        const std::string exec = launched->exec;
        Result<LaunchState> state = co_await look_at_launch(session_, exec);
        if (state && *state == LaunchState::impossible) co_return no_guard_possible(ending.text);
    }
    const Error error({.kind = ErrorKind::unavailable,
                       .operation = Operation::exec_read,
                       .message = "the guard cannot go on: " + ending.text});
    verdict = co_await reconnect(error);
    co_return verdict;
}

}  // namespace drydock::jobs
