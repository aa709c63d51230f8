#include "jobs/leased.hpp"

#include <utility>

namespace drydock::jobs {

namespace {

// Whether another sandbox may do better: not what the job or the caller is to blame for.
bool may_do_better(const Result<JobResult>& job) {
    if (job) return job->state == JobState::ended_unknown;
    const ErrorKind kind = job.error().kind();
    return is_transient(kind) || kind == ErrorKind::protocol || kind == ErrorKind::conflict ||
           kind == ErrorKind::not_found;
}

// A job that ended in a way that nobody knows, told as the cause of what came next.
Error lost() {
    return Error({.kind = ErrorKind::not_found, .message = "the job ended, and nobody knows how"});
}

Error after(const Error& error, const std::optional<Error>& earlier) {
    return earlier ? error.with_cause(*earlier) : error;
}

awaitable<bool> is_confirmed_not_begun(Jobs& jobs, const Lease& lease, const std::string& id) {
    Result<JobResult> killed = co_await jobs.kill(lease, id);
    co_return killed && killed->state == JobState::not_begun;
}

}  // namespace

awaitable<LeasedRun> run_with_lease(Jobs& jobs, SandboxManager& manager, std::uint32_t sandboxes,
                                    LeaseRequest request, JobSpec spec, OutputSink sink,
                                    Rerun rerun) {
    std::optional<Error> earlier;
    for (std::uint32_t tries = 1;; ++tries) {
        Result<Lease> lease = co_await manager.acquire(request);
        if (!lease) {
            const Error error = after(lease.error(), earlier);
            LeasedRun failed{error, Result<void>()};
            co_return failed;
        }
        Result<JobResult> job = co_await jobs.run(*lease, spec, sink);
        if (!job) job = after(job.error(), earlier);
        const bool is_over = !may_do_better(job) || rerun == Rerun::never || tries >= sandboxes;
        if (is_over) {
            Result<void> released = co_await lease->release();
            LeasedRun done{std::move(job), std::move(released)};
            co_return done;
        }
        const bool is_safe = co_await is_confirmed_not_begun(jobs, *lease, spec.id);
        // With every handle of the key: the next acquire must not find this sandbox again.
        Result<void> gone = co_await manager.cleanup(request.key);
        if (!gone || !(is_safe || rerun == Rerun::if_gone)) {
            LeasedRun done{std::move(job), std::move(gone)};
            co_return done;
        }
        earlier = job ? lost() : job.error();
    }
}

}  // namespace drydock::jobs
