#pragma once

#include <drydock/lease.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock {

/// One command that must take effect at most once in its sandbox.
struct JobSpec {
    /// Names the work within its sandbox: a second launch under the same id runs nothing.
    std::string id;
    std::vector<std::string> argv;  ///< the first begins with no hyphen
    /// "NAME=value", beside the sandbox's own, not DRYDOCK_JOB. A PATH must lead to the tools that
    /// the guard needs, too.
    std::vector<std::string> environment{};
    std::string working_dir{};  ///< absolute; empty: where the sandbox's programs are
    bool with_stdin = false;    ///< else its input is empty
    /// From the launch. Then the job is killed; see `Jobs::wait`, which watches over it.
    std::optional<Duration> timeout{};
};

/// Bytes of a job's output, where they stand in it.
struct JobOutput {
    using Source = ExecOutput::Source;
    Source source = Source::out;
    std::uint64_t offset = 0;
    std::string_view bytes;  ///< only during the call
};

/// Called with each byte of a job's output once and in order, as it comes. If it throws, the call
/// that waits ends with `internal`, and the job goes on.
using OutputSink = std::function<void(const JobOutput&)>;

/// Where to read on, for one who has the beginning already.
struct OutputFrom {
    std::uint64_t out = 0;
    std::uint64_t err = 0;
};

enum class JobState : std::uint8_t {
    ended,          ///< by itself, with an exit code
    ended_unknown,  ///< it began or may have, nothing of it is left, and no exit code is known
    killed,         ///< by us, confirmed, before it had an exit code
    not_begun,      ///< it never began and never will
};

std::string_view name(JobState state);

/// What is known of one of a job's outputs when it ended.
struct OutputEnd {
    std::uint64_t size = 0;  ///< as far as it is known
    bool has_gap = false;    ///< the sink did not get all of it, and nobody will
};

struct JobResult {
    JobState state = JobState::ended_unknown;
    std::optional<int> exit_code{};  ///< only of `ended`; a code that is missing is never 0
    OutputEnd out{};
    OutputEnd err{};
    bool timed_out = false;  ///< it was killed, or would have been, at the end of its timeout
};

/// Whether a job may be run again, in a fresh sandbox, after its first one failed it.
enum class Rerun : std::uint8_t {
    never,
    if_not_begun,  ///< once it is confirmed that it has not begun and cannot any more
    /// Also once its sandbox is confirmed gone: what it did outside of it may be done again.
    if_gone,
};

/// The two facts about a job that had a lease of its own.
struct LeasedRun {
    Result<JobResult> job;
    Result<void> teardown;
};

/// Runs jobs in the sandboxes of one manager, each at most once per sandbox and id, whatever the
/// link does: a guard in the sandbox (docs/jobs.md) decides who begins it, keeps its output in
/// files and records its exit code. So a launch is repeated whenever its outcome is in doubt,
/// output is read by offset, and the end of a stream is never taken for the end of a job.
///
/// All calls come from the runtime's executor. A call whose lease is given back already is
/// Error{invalid}, and nothing is sent; so is one whose spec, id or bytes cannot be, and one to a
/// sandbox that cannot run the guard (no `sh`, read-only root, ...). An exchange is tried at most
/// Policy::attempts times. An error says by its obligation whether the job may still run.
///
/// Cancellation (terminal): every call returns Error{cancelled} at once, and nothing is killed by
/// it: the job goes on, and can be waited for again by its id.
class Jobs {
public:
    /// The manager must outlive it. Its policy is the jobs' policy.
    explicit Jobs(SandboxManager& manager);

    /// `start`, then `wait`. Errors and guarantees are theirs. Cancelling it ends neither the job
    /// nor its sandbox. Under the id of a job that runs or has ended it only waits.
    awaitable<Result<JobResult>> run(const Lease& lease, JobSpec spec, OutputSink sink = {});

    /// Returns once the launch is under way; that the job began shows `wait`. May be repeated
    /// under the same id, after an error too: the job still begins at most once.
    /// Cancellation: it may begin or not.
    awaitable<Result<void>> start(const Lease& lease, JobSpec spec);

    /// Until the job has ended, also one that an earlier process started (Error{not_found} if none
    /// of that id is known in the sandbox). Launches again one that `start` began here, if its
    /// launch was lost. At the end of its timeout it is killed, which the sandbox's own record
    /// confirms; if that cannot be had, the call ends with Error{deadline} and the sandbox is torn
    /// down with all its leases. Any number may wait for one job.
    ///
    /// A link that fails Policy::job_reconnects times in a row without any sign of life ends the
    /// call with its error; the job may still run. A sandbox that is paused or has exited is read
    /// by archive; one that is gone ends the job with `ended_unknown` and gaps.
    awaitable<Result<JobResult>> wait(const Lease& lease, std::string id, OutputSink sink = {},
                                      OutputFrom from = {});

    /// Ends the job, and keeps one that has not begun from ever beginning: `not_begun` then.
    /// `killed` or `ended` is confirmed from the sandbox's own record. Knows nothing of gaps. What
    /// has left its session and cleared its environment is not found, and goes on.
    /// May be repeated. Cancellation: it may be killed or not.
    awaitable<Result<JobResult>> kill(const Lease& lease, std::string id);

    /// At most 4096 bytes to the job's stdin, in one piece, once: an error whose `landed` is
    /// unknown, also a cancellation, leaves open whether the job has got them, and nothing repeats
    /// it. Error{conflict}: nobody reads it any more.
    awaitable<Result<void>> write_stdin(const Lease& lease, std::string id, std::string bytes);

    /// The job's stdin ends. Success also if nobody reads it any more. Errors as `write_stdin`.
    awaitable<Result<void>> close_stdin(const Lease& lease, std::string id);

    /// Acquires, runs and releases. If the job fails there, and only as far as `rerun` allows, the
    /// next sandbox is tried, at most Policy::attempts in all; its output then begins at 0 again.
    /// An error of `acquire` is the job's, attached to the one before it.
    /// Cancellation: the job's sandbox is torn down before the call returns.
    awaitable<LeasedRun> run_leased(LeaseRequest request, JobSpec spec, OutputSink sink = {},
                                    Rerun rerun = Rerun::never);

private:
    SandboxManager& manager_;
    std::shared_ptr<detail::Core> core_;
};

}  // namespace drydock
