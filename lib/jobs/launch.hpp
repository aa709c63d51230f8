#pragma once

#include "jobs/session.hpp"

namespace drydock::jobs {

/// Launches the job, and again whenever that may not have reached the sandbox: the guard lets only
/// one of all launches begin it. Notes the job as launched. `landed` of an error is unknown if one
/// of them may still come.
awaitable<Result<void>> launch(const Session& session, const JobSpec& spec);

/// What has become of a launch whose job the guard does not know.
enum class LaunchState : std::uint8_t {
    under_way,
    begun,       ///< it saw that the job had begun or was fenced, whatever the guard says now
    lost,        ///< it ended or never was: another may be needed, and harms nobody
    impossible,  ///< the sandbox cannot run the guard
};

awaitable<Result<LaunchState>> look_at_launch(const Session& session, const std::string& exec);

}  // namespace drydock::jobs
