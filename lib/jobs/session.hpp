#pragma once

#include "manager/core.hpp"

#include <drydock/job.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::detail {

/// A job that this process launched: what it takes to do so again if the launch was lost.
struct LaunchedJob {
    JobSpec spec;
    std::string exec;  ///< of the last launch that may have been accepted
    Time since{};      ///< of the first launch
};

struct SandboxJobs {
    bool is_prepared = false;                     ///< the guard is in place
    std::map<std::string, LaunchedJob> launched;  ///< by folder, until their end is known
    /// Folders of jobs that have begun, or of which nobody can say: a job may remove its folder,
    /// and then no guard knows it any more.
    std::set<std::string, std::less<>> begun;
};

}  // namespace drydock::detail

namespace drydock::jobs {

/// One public call about one job: whose it is, and what every exchange of it needs.
struct Session {
    detail::CorePtr core;
    std::shared_ptr<detail::LiveSandbox> live;
    std::string job;  ///< the name of its folder

    const std::string& sandbox() const noexcept { return live->row.id; }
    Tag tag(Operation operation) const noexcept { return {operation, live->key}; }
    CallContext context(Operation operation, std::optional<Duration> limit = {}) const;
    detail::SandboxJobs& jobs() const;
    /// What this process launched under the id, or null.
    detail::LaunchedJob* launched() const;
    bool has_begun() const { return jobs().begun.contains(job); }
    void note_begun() const { jobs().begun.insert(job); }
    /// The command line of the guard for this job.
    std::vector<std::string> guard(std::string_view verb) const;
};

/// Asked before anything is sent: Error{cancelled}, also for a cancel that fell while nothing was
/// suspended, or Error{invalid} once the lease is given back.
awaitable<std::optional<Error>> why_stop(const Session& session);

/// Sleeps before try `tries` + 1 of something that harms nobody when repeated, and returns nothing;
/// or at once how it ends: with its error, or with Error{cancelled} and that as its cause.
awaitable<std::optional<Error>> why_not_again(const Session& session, Error error,
                                              std::uint32_t tries);

/// Puts the guard into the sandbox, once per process.
awaitable<Result<void>> prepare(const Session& session);

/// A new exec, in one try or tried again while that may help.
awaitable<Result<std::string>> try_exec(const Session& session, const ExecSpec& spec,
                                        std::optional<Duration> limit = {});
awaitable<Result<std::string>> create_exec(const Session& session, const ExecSpec& spec);

/// The same error of something that may have been done, or may still be.
Error in_doubt(const Error& error);

}  // namespace drydock::jobs
