#pragma once

#include "jobs/session.hpp"

namespace drydock::jobs {

/// Ends the job, or keeps it from beginning, and confirms which from the sandbox's own record.
/// Repeated while that may help. Any error says that the job may still run.
awaitable<Result<JobResult>> kill_job(const Session& session);

/// `input` and `close-input`, once.
awaitable<Result<void>> write_input(const Session& session, std::string bytes);
awaitable<Result<void>> close_input(const Session& session);

}  // namespace drydock::jobs
