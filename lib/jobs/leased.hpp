#pragma once

#include <drydock/job.hpp>

namespace drydock::jobs {

/// Jobs::run_leased.
awaitable<LeasedRun> run_with_lease(Jobs& jobs, SandboxManager& manager, std::uint32_t sandboxes,
                                    LeaseRequest request, JobSpec spec, OutputSink sink,
                                    Rerun rerun);

}  // namespace drydock::jobs
