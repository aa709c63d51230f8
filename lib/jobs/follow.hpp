#pragma once

#include "jobs/ending.hpp"
#include "jobs/output.hpp"
#include "jobs/session.hpp"

namespace drydock::jobs {

/// One stream of the guard's `follow`, until it says how the job ended or breaks.
struct Followed {
    std::optional<Ending> ending{};
    std::optional<Error> error{};  ///< why there is no ending
    bool has_life = false;         ///< the guard said that the job runs, or brought new bytes
};

/// From where `output` is. No exchange of it outlasts `until`.
awaitable<Followed> follow(const Session& session, Output& output, std::optional<Time> until);

}  // namespace drydock::jobs
