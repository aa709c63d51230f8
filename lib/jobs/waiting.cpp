#include "jobs/waiting.hpp"

#include "jobs/verbs.hpp"
#include "manager/ending.hpp"

#include <algorithm>
#include <utility>

namespace drydock::jobs {

namespace {

Error never_heard_of() {
    return Error({.kind = ErrorKind::not_found,
                  .operation = Operation::exec_read,
                  .message = "no job of that id is known in the sandbox"});
}

Error no_guard_possible() {
    return Error({.kind = ErrorKind::invalid,
                  .operation = Operation::exec_inspect,
                  .message = "the sandbox cannot run the guard, which needs a shell's usual tools, "
                             "/proc, and /.drydock writable in the sandbox's own layer, or has no "
                             "such working directory"});
}

Error cannot_go_on(const Ending& ending) {
    return Error({.kind = ErrorKind::unavailable,
                  .operation = Operation::exec_read,
                  .message = "the guard cannot go on: " + ending.text});
}

Error not_whole() {
    return Error({.kind = ErrorKind::protocol,
                  .operation = Operation::exec_read,
                  .message = "the job's output is not whole"});
}

// A refusal of the sandbox itself, not of one exec that an engine has forgotten.
bool is_of_sandbox(const Error& error) { return error.operation() == Operation::exec_create; }

}  // namespace

Waiting::Waiting(Session session, OutputSink sink, OutputFrom from)
    : session_(std::move(session)),
      output_(std::move(sink), from),
      is_known_(from.out > 0 || from.err > 0) {
    const detail::LaunchedJob* const launched = session_.launched();
    if (launched != nullptr && launched->spec.timeout) {
        until_ = launched->since + *launched->spec.timeout;
    }
}

awaitable<Result<JobResult>> Waiting::run() {
    Result<void> prepared = co_await prepare(session_);
    Verdict verdict;
    if (!prepared) verdict = co_await meet_failure(prepared.error());
    while (!verdict)
        verdict = co_await step();
    // What follows a confirmed kill only completes the output.
    if (!*verdict && killed_) {
        killed_->out = output_.end(JobOutput::Source::out, killed_->out.size);
        killed_->err = output_.end(JobOutput::Source::err, killed_->err.size);
        co_return *killed_;
    }
    if (*verdict) session_.jobs().launched.erase(session_.job);
    co_return std::move(*verdict);
}

awaitable<Waiting::Verdict> Waiting::step() {
    const std::optional<Error> stop = co_await why_stop(session_);
    if (stop) co_return may_still_run(*stop);
    if (is_late()) {
        Verdict verdict = co_await kill_late();
        co_return verdict;
    }
    Followed followed = co_await follow(session_, output_, until_);
    Verdict verdict = co_await judge(std::move(followed));
    co_return verdict;
}

awaitable<Waiting::Verdict> Waiting::judge(Followed followed) {
    if (followed.has_life) failures_ = 0;
    // Not by a mere sign of life: a claimer may have died before the job began.
    is_known_ = is_known_ || output_.at().out > 0 || output_.at().err > 0;
    Verdict verdict;
    if (followed.ending) {
        verdict = co_await meet_end(std::move(*followed.ending));
    } else {
        verdict = co_await meet_failure(*followed.error);
    }
    co_return verdict;
}

// An end whose output did not come whole is followed again; in the end its gap is stated.
awaitable<Waiting::Verdict> Waiting::meet_end(Ending ending) {
    using Kind = Ending::Kind;
    Verdict verdict;
    if (ending.kind == Kind::fenced) {
        verdict = result(JobState::not_begun, 0, 0);
    } else if (ending.kind == Kind::absent) {
        verdict = co_await meet_absence();
    } else if (ending.kind == Kind::left || ending.kind == Kind::broken) {
        const Error error = cannot_go_on(ending);
        verdict = co_await reconnect(error);
    } else if (output_.is_complete(ending.out, ending.err)) {
        verdict = ended(ending);
    } else {
        is_known_ = true;
        const Error error = not_whole();
        verdict = co_await reconnect(error);
        if (verdict) verdict = ended(ending);
    }
    co_return verdict;
}

awaitable<Waiting::Verdict> Waiting::meet_failure(Error error) {
    const bool is_refused = is_of_sandbox(error) || error.operation() == Operation::archive_put;
    const bool is_forgotten =
        error.operation() == Operation::exec_start &&
        (error.kind() == ErrorKind::not_found || error.kind() == ErrorKind::conflict);
    const bool is_broken =
        is_forgotten || may_repeat(RetryClass::read, error.kind(), error.landed());
    Verdict verdict;
    if (error.kind() == ErrorKind::cancelled) {
        verdict = may_still_run(detail::given_up(Wake::cancelled));
    } else if (is_late()) {
        // Cut short by the job's timeout, which comes next.
    } else if (is_refused && error.kind() == ErrorKind::not_found) {
        verdict = gone();
    } else if (is_of_sandbox(error) && error.kind() == ErrorKind::conflict) {
        verdict = co_await meet_stop(error);
    } else if (is_broken) {
        verdict = co_await reconnect(error);
    } else {
        verdict = may_still_run(error);
    }
    co_return verdict;
}

// The guard has seen no claim. A launch of ours may be under way or lost; what was claimed once and
// is not any more has lost its files, and must not be launched again.
awaitable<Waiting::Verdict> Waiting::meet_absence() {
    if (is_known_) {
        co_return may_still_run(Error({.kind = ErrorKind::not_found,
                                       .operation = Operation::exec_read,
                                       .message = "the job's files are gone from its sandbox"}));
    }
    const detail::LaunchedJob* const launched = session_.launched();
    if (launched == nullptr) co_return never_heard_of();
    const std::string exec = launched->exec;
    Result<LaunchState> state = co_await look_at_launch(session_, exec);
    Verdict verdict;
    if (!state) {
        verdict = co_await meet_failure(state.error());
    } else if (*state == LaunchState::begun) {
        is_known_ = true;
    } else if (*state == LaunchState::impossible) {
        session_.jobs().launched.erase(session_.job);
        verdict = no_guard_possible();
    } else if (*state == LaunchState::lost) {
        verdict = co_await launch_again();
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
    co_await session_.core->runtime.sleep(session_.tag(Operation::job_wait), policy.settle,
                                          Interrupt::allowed);
    co_return std::nullopt;
}

awaitable<Waiting::Verdict> Waiting::launch_again() {
    const Policy& policy = session_.core->policy;
    const JobSpec spec = session_.launched()->spec;
    if (launches_ >= policy.attempts) {
        co_return may_still_run(Error({.kind = ErrorKind::unavailable,
                                       .operation = Operation::exec_inspect,
                                       .message = "each launch ended without a claim"}));
    }
    const Duration delay =
        delay_after(policy.backoff, launches_++, session_.core->runtime.random_bits());
    co_await session_.core->runtime.sleep(session_.tag(Operation::job_wait), delay,
                                          Interrupt::allowed);
    session_.jobs().is_prepared = false;
    Result<void> done = co_await prepare(session_);
    if (done) done = co_await launch(session_, spec);
    if (done) co_return std::nullopt;
    const Error error = done.error();
    Verdict verdict = co_await meet_failure(error);
    co_return verdict;
}

awaitable<Waiting::Verdict> Waiting::meet_stop(Error conflict) {
    Result<Stopped> stopped = co_await look_at_stopped(session_);
    Verdict verdict;
    if (!stopped) {
        verdict = co_await meet_failure(stopped.error());
        co_return verdict;
    }
    if (stopped->kind == Stopped::Kind::gone) co_return gone();
    verdict = meet_folder(*stopped);
    if (!verdict && stopped->kind == Stopped::Kind::exited) co_return conflict;
    if (!verdict) verdict = co_await reconnect(conflict);
    co_return verdict;
}

// What the files say, as far as it is final: in a paused sandbox only an exit code is.
Waiting::Verdict Waiting::meet_folder(const Stopped& stopped) {
    const bool is_exited = stopped.kind == Stopped::Kind::exited;
    if (!stopped.folder) {
        if (is_exited && is_known_) return gone();
        return std::nullopt;
    }
    const Folder& folder = *stopped.folder;
    const std::optional<Error> thrown = take_files(folder);
    if (thrown) return may_still_run(*thrown);
    if (folder.code) {
        const Ending ending{Ending::Kind::code, *folder.code, folder.out.size(), folder.err.size()};
        return ended(ending);
    }
    if (!is_exited) return std::nullopt;
    if (folder.is_fenced) return result(JobState::not_begun, 0, 0);
    if (!folder.has_begun && !is_known_) return std::nullopt;
    return result(JobState::ended_unknown, folder.out.size(), folder.err.size());
}

std::optional<Error> Waiting::take_files(const Folder& folder) {
    return guarded([&] {
        output_.take_whole(JobOutput::Source::out, folder.out);
        output_.take_whole(JobOutput::Source::err, folder.err);
    });
}

awaitable<Waiting::Verdict> Waiting::reconnect(Error error) {
    const Policy& policy = session_.core->policy;
    if (++failures_ > policy.job_reconnects) co_return may_still_run(error);
    Duration delay = delay_after(policy.backoff, failures_, session_.core->runtime.random_bits());
    if (until_) {
        const Duration left = *until_ - session_.core->runtime.now();
        delay = std::clamp<Duration>(left, Duration::zero(), delay);
    }
    co_await session_.core->runtime.sleep(session_.tag(Operation::job_wait), delay,
                                          Interrupt::allowed);
    co_return std::nullopt;
}

// Its timeout has come. Only the sandbox's own record says that it is dead; without it the sandbox
// goes, and the job with it.
awaitable<Waiting::Verdict> Waiting::kill_late() {
    until_.reset();
    failures_ = 0;
    is_timed_out_ = true;
    Result<JobResult> killed = co_await kill_job(session_);
    if (killed && killed->state == JobState::not_begun) {
        co_return result(JobState::not_begun, 0, 0);
    }
    if (killed) {
        killed_ = *killed;
        killed_->timed_out = true;
        co_return std::nullopt;
    }
    const Error failure = killed.error();
    const std::optional<Error> stop = co_await why_stop(session_);
    if (stop) co_return may_still_run(*stop);
    Error late({.kind = ErrorKind::deadline,
                .message = "the job's timeout has passed, and its end could not be confirmed"});
    late = late.with_cause(failure);
    Result<void> cleaned = co_await detail::clean_up_key(session_.core, session_.live->key);
    if (cleaned) co_return late;
    co_return late.with_cause(cleaned.error()).with_obligation(Obligation::remains);
}

JobResult Waiting::result(JobState state, std::uint64_t out, std::uint64_t err) const {
    JobResult result;
    const bool is_killed = killed_ && killed_->state == JobState::killed;
    result.state = is_killed && state == JobState::ended_unknown ? JobState::killed : state;
    result.out = output_.end(JobOutput::Source::out, out);
    result.err = output_.end(JobOutput::Source::err, err);
    result.timed_out = is_timed_out_;
    return result;
}

JobResult Waiting::ended(const Ending& ending) const {
    const bool has_code = ending.kind == Ending::Kind::code;
    const JobState state = has_code ? JobState::ended : JobState::ended_unknown;
    JobResult ended = result(state, ending.out, ending.err);
    if (has_code) ended.exit_code = ending.code;
    return ended;
}

// Nobody can say how much there was.
JobResult Waiting::gone() const {
    JobResult gone = result(JobState::ended_unknown, output_.at().out, output_.at().err);
    gone.out.has_gap = output_.has_sink();
    gone.err.has_gap = output_.has_sink();
    return gone;
}

Error Waiting::may_still_run(const Error& error) const {
    Error outer({.kind = error.kind(),
                 .landed = error.landed(),
                 .operation = error.operation(),
                 .status = error.status(),
                 .code = std::string(error.code()),
                 .message = "the job may still run: " + std::string(error.message()),
                 .obligation = Obligation::remains});
    for (const Error& cause : error.causes()) {
        outer = outer.with_cause(cause);
    }
    return outer;
}

bool Waiting::is_late() const { return until_ && session_.core->runtime.now() >= *until_; }

}  // namespace drydock::jobs
