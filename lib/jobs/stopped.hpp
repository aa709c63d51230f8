#pragma once

#include "jobs/ending.hpp"
#include "jobs/session.hpp"

namespace drydock::jobs {

/// A sandbox in which no program can be started, and what its archive shows of the job.
struct Stopped {
    enum class Kind : std::uint8_t {
        usable,  ///< not any more, or not for long
        paused,
        exited,
        gone,
    };
    Kind kind = Kind::usable;
    std::optional<Folder> folder{};  ///< of paused and exited; nothing if there is none
};

/// Looks at the sandbox, and if it stands still at the job's folder.
awaitable<Result<Stopped>> look_at_stopped(const Session& session);

}  // namespace drydock::jobs
