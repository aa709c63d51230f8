#pragma once

#include "jobs/follow.hpp"
#include "jobs/launch.hpp"
#include "jobs/stopped.hpp"

namespace drydock::jobs {

/// One wait for a job's end, over as many streams as it takes. Lives in the frame of its call.
class Waiting {
public:
    Waiting(Session session, OutputSink sink, OutputFrom from);

    awaitable<Result<JobResult>> run();

private:
    /// How the wait ends; nothing while it goes on.
    using Verdict = std::optional<Result<JobResult>>;

    awaitable<Verdict> step();
    awaitable<Verdict> judge(Followed followed);
    awaitable<Verdict> meet_end(Ending ending);
    awaitable<Verdict> meet_failure(Error error);
    awaitable<Verdict> meet_absence();
    awaitable<Verdict> settle();
    awaitable<Verdict> launch_again(JobSpec spec);
    awaitable<Verdict> meet_broken(Ending ending);
    awaitable<Verdict> meet_stop(Error conflict);
    awaitable<Verdict> reconnect(Error error);
    awaitable<void> pause(Duration delay);
    awaitable<Verdict> kill_late();

    Verdict meet_folder(const Stopped& stopped);
    std::optional<Error> take_files(const Folder& folder);
    JobResult result(JobState state, std::uint64_t out, std::uint64_t err) const;
    JobResult ended(const Ending& ending) const;
    JobResult gone() const;
    Error may_still_run(const Error& error) const;
    bool is_late() const;

    Session session_;
    Output output_;
    std::optional<Time> until_;        ///< the job's timeout, until it has been acted on
    std::optional<JobResult> killed_;  ///< at the end of its timeout, confirmed
    std::optional<Time> absent_since_;
    std::uint32_t failures_ = 0;  ///< in a row
    std::uint32_t launches_ = 1;
    bool is_timed_out_ = false;
};

}  // namespace drydock::jobs
