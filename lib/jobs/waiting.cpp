#include "jobs/waiting.hpp"

#include "manager/ending.hpp"

#include <algorithm>
#include <utility>

namespace drydock::jobs {

namespace {

// A refusal of the sandbox itself, not of one exec that an engine has forgotten.
bool is_of_sandbox(const Error& error) { return error.operation() == Operation::exec_create; }

}  // namespace

Waiting::Waiting(Session session, OutputSink sink, OutputFrom from)
    : session_(std::move(session)), output_(std::move(sink), from) {
    if (from.out > 0 || from.err > 0) session_.note_begun();
    const detail::LaunchedJob* const launched = session_.launched();
    if (launched != nullptr && launched->spec.timeout) {
        until_ = launched->since + *launched->spec.timeout;
    }
}

awaitable<Result<JobResult>> Waiting::run() {
    Verdict verdict;
    while (!verdict)
        verdict = co_await step();
    // What follows a confirmed kill only completes the output.
    if (!*verdict && killed_) {
        if (verdict->error().kind() == ErrorKind::cancelled) {
            co_return detail::given_up(Wake::cancelled);
        }
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
    Verdict verdict;
    Result<void> prepared = co_await prepare(session_);
    if (prepared) {
        Followed followed = co_await follow(session_, output_, until_);
        verdict = co_await judge(std::move(followed));
    } else {
        verdict = co_await meet_failure(prepared.error());
    }
    co_return verdict;
}

awaitable<Waiting::Verdict> Waiting::judge(Followed followed) {
    if (followed.has_life) failures_ = 0;
    // Not by a mere sign of life: a claimer may have died before the job began.
    if (output_.at().out > 0 || output_.at().err > 0) session_.note_begun();
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
    if (ending.kind == Kind::code || ending.kind == Kind::unknown) session_.note_begun();
    Verdict verdict;
    if (ending.kind == Kind::fenced) {
        // A job that removes its own folder leaves none but the one in which a kill fenced it.
        verdict = session_.has_begun() ? gone() : result(JobState::not_begun, 0, 0);
    } else if (ending.kind == Kind::absent) {
        verdict = co_await meet_absence();
    } else if (ending.kind == Kind::left || ending.kind == Kind::broken) {
        verdict = co_await meet_broken(std::move(ending));
    } else if (output_.is_complete(ending.out, ending.err)) {
        verdict = ended(ending);
    } else {
        until_.reset();
        const Error error({.kind = ErrorKind::protocol,
                           .operation = Operation::exec_read,
                           .message = "the job's output is not whole"});
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

awaitable<Waiting::Verdict> Waiting::reconnect(Error error) {
    const Policy& policy = session_.core->policy;
    if (++failures_ > policy.job_reconnects) co_return may_still_run(error);
    const Duration delay =
        delay_after(policy.backoff, failures_, session_.core->runtime.random_bits());
    co_await pause(delay);
    co_return std::nullopt;
}

// No longer than to the job's timeout.
awaitable<void> Waiting::pause(Duration delay) {
    const Time now = session_.core->runtime.now();
    if (until_) delay = std::clamp<Duration>(*until_ - now, Duration::zero(), delay);
    co_await session_.core->runtime.sleep(session_.tag(Operation::job_wait), delay,
                                          Interrupt::allowed);
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
