#include <drydock/job.hpp>

#include "jobs/ids.hpp"
#include "jobs/launch.hpp"
#include "jobs/leased.hpp"
#include "jobs/verbs.hpp"
#include "jobs/waiting.hpp"
#include "manager/ending.hpp"
#include "manager/public_call.hpp"

#include <array>
#include <utility>

namespace drydock {

using namespace jobs;

namespace {

constexpr std::size_t most_input = 4096;  // PIPE_BUF: what a pipe takes in one piece

constexpr std::array<std::string_view, 4> names = {"ended", "ended_unknown", "killed", "not_begun"};

using Live = std::shared_ptr<detail::LiveSandbox>;

// Why nothing is sent for this call.
std::optional<Error> why_refused(const detail::CorePtr& core, const Live& live,
                                 std::optional<std::string> why) {
    const bool is_held = live && !live->released && live->core.lock() == core;
    if (!is_held) return detail::refused("the lease holds no sandbox of this manager");
    if (why) return detail::refused(std::move(*why));
    return std::nullopt;
}

awaitable<Result<JobResult>> wait_in(Session session, OutputSink sink, OutputFrom from) {
    Waiting waiting(std::move(session), std::move(sink), from);
    Result<JobResult> result = co_await waiting.run();
    co_return result;
}

awaitable<Result<void>> start_in(Session session, JobSpec spec) {
    Result<void> done = co_await prepare(session);
    if (done) done = co_await launch(session, spec);
    co_return done;
}

awaitable<Result<JobResult>> run_in(Session session, JobSpec spec, OutputSink sink) {
    Result<void> started = co_await start_in(session, std::move(spec));
    if (!started) co_return started.error();
    const OutputFrom from;
    Result<JobResult> result = co_await wait_in(std::move(session), std::move(sink), from);
    co_return result;
}

awaitable<Result<JobResult>> kill_in(Session session) {
    Result<JobResult> result = co_await kill_job(session);
    co_return result;
}

awaitable<Result<void>> write_in(Session session, std::string bytes) {
    Result<void> written = co_await write_input(session, std::move(bytes));
    co_return written;
}

awaitable<Result<void>> close_in(Session session) {
    Result<void> closed = co_await close_input(session);
    co_return closed;
}

template <class T>
awaitable<Result<T>> refuse(Error error) {
    co_return error;
}

}  // namespace

std::string_view name(JobState state) { return names.at(static_cast<std::size_t>(state)); }

Jobs::Jobs(SandboxManager& manager) : manager_(manager), core_(manager.core_) {}

// The lease may move or end while a call runs, so what it holds is taken at once.

awaitable<Result<JobResult>> Jobs::run(const Lease& lease, JobSpec spec, OutputSink sink) {
    const auto refusal = why_refused(core_, lease.live_, why_impossible(spec));
    if (refusal) return refuse<JobResult>(*refusal);
    Session session{core_, lease.live_, folder_name(spec.id)};
    return detail::public_call(run_in(std::move(session), std::move(spec), std::move(sink)));
}

awaitable<Result<void>> Jobs::start(const Lease& lease, JobSpec spec) {
    const auto refusal = why_refused(core_, lease.live_, why_impossible(spec));
    if (refusal) return refuse<void>(*refusal);
    Session session{core_, lease.live_, folder_name(spec.id)};
    return detail::public_call(start_in(std::move(session), std::move(spec)));
}

awaitable<Result<JobResult>> Jobs::wait(const Lease& lease, std::string id, OutputSink sink,
                                        OutputFrom from) {
    const auto refusal = why_refused(core_, lease.live_, why_no_id(id));
    if (refusal) return refuse<JobResult>(*refusal);
    Session session{core_, lease.live_, folder_name(id)};
    return detail::public_call(wait_in(std::move(session), std::move(sink), from));
}

awaitable<Result<JobResult>> Jobs::kill(const Lease& lease, std::string id) {
    const auto refusal = why_refused(core_, lease.live_, why_no_id(id));
    if (refusal) return refuse<JobResult>(*refusal);
    Session session{core_, lease.live_, folder_name(id)};
    return detail::public_call(kill_in(std::move(session)));
}

awaitable<Result<void>> Jobs::write_stdin(const Lease& lease, std::string id, std::string bytes) {
    auto why = why_no_id(id);
    if (!why && bytes.size() > most_input) why = "more than 4096 bytes for a job's stdin at once";
    const auto refusal = why_refused(core_, lease.live_, std::move(why));
    if (refusal) return refuse<void>(*refusal);
    Session session{core_, lease.live_, folder_name(id)};
    return detail::public_call(write_in(std::move(session), std::move(bytes)));
}

awaitable<Result<void>> Jobs::close_stdin(const Lease& lease, std::string id) {
    const auto refusal = why_refused(core_, lease.live_, why_no_id(id));
    if (refusal) return refuse<void>(*refusal);
    Session session{core_, lease.live_, folder_name(id)};
    return detail::public_call(close_in(std::move(session)));
}

awaitable<LeasedRun> Jobs::run_leased(LeaseRequest request, JobSpec spec, OutputSink sink,
                                      Rerun rerun) {
    return detail::public_call(run_with_lease(*this, manager_, core_->policy.attempts,
                                              std::move(request), std::move(spec), std::move(sink),
                                              rerun));
}

}  // namespace drydock
