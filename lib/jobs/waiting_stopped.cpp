// Ends that no guard tells: by the files of a sandbox that stands still, and by the job's timeout.
#include "jobs/verbs.hpp"
#include "jobs/waiting.hpp"
#include "manager/ending.hpp"

#include <utility>

namespace drydock::jobs {

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
        if (is_exited && session_.has_begun()) return gone();
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
    if (!folder.has_begun && !session_.has_begun()) return std::nullopt;
    return result(JobState::ended_unknown, folder.out.size(), folder.err.size());
}

std::optional<Error> Waiting::take_files(const Folder& folder) {
    return guarded([&] {
        output_.take_whole(JobOutput::Source::out, folder.out);
        output_.take_whole(JobOutput::Source::err, folder.err);
    });
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

}  // namespace drydock::jobs
