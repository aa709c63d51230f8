#pragma once

#include "clients/legacy/legacy_client.hpp"

#include <map>
#include <string>
#include <utility>

namespace drydock::scenarios {

/// What the historic clients of jobs have in common: a plain exec for each job, attached to `run`
/// it, detached to `start` it, and the exec's own exit code. What each did wrong is its own.
class LegacyJobClient : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

    awaitable<Result<JobReport>> run_job(std::uint32_t actor, JobRequest request) override;
    awaitable<Result<void>> start_job(std::uint32_t actor, JobRequest request) override;
    awaitable<Result<JobReport>> wait_for_job(std::uint32_t actor, std::string key,
                                              std::string job) override;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override;

    /// One exchange each.
    awaitable<Result<std::string>> exec_create(const JobRequest& request);
    awaitable<Result<void>> exec_start(const JobRequest& request, const std::string& exec);
    awaitable<Result<ExecStatus>> exec_inspect(const std::string& key, const std::string& exec);

    /// An exec's output up to the end of its stream, and what ended it: an error, or its clean end.
    struct Collected {
        JobReport report;
        Result<void> ended;
    };
    /// Starts it attached and reads. An error: it was not started, as far as the client knows.
    awaitable<Result<Collected>> collect(const JobRequest& request, const std::string& exec);
    /// Looks until it has ended.
    awaitable<Result<int>> exit_code(const std::string& key, const std::string& exec);

    awaitable<void> pause(const std::string& key);

    using JobName = std::pair<std::string, std::string>;  ///< key and job
    /// Those that were started, not run.
    std::map<JobName, std::string> execs_;
};

}  // namespace drydock::scenarios
