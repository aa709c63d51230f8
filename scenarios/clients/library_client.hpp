#pragma once

#include <drydock/job.hpp>
#include <drydock/scenarios/client.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace drydock::scenarios {

/// The production library as it is: only the bookkeeping of which actor holds what is added.
class LibraryClient : public ClientUnderTest {
public:
    explicit LibraryClient(const ClientSeams& seams)
        : manager_(seams.runtime, seams.backend, seams.ledger, seams.policy) {}

    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override;
    awaitable<Result<void>> release(std::uint32_t actor, std::string key) override;
    bool holds(std::uint32_t actor, const std::string& key) const override;
    awaitable<Result<void>> cleanup(std::string key) override;
    awaitable<Result<std::string>> attach(std::uint32_t actor, std::string key) override;
    awaitable<Result<void>> close(bool wait_late) override;
    awaitable<Result<void>> recover() override;

    awaitable<Result<JobReport>> run_job(std::uint32_t actor, JobRequest request) override;
    awaitable<Result<void>> start_job(std::uint32_t actor, JobRequest request) override;
    awaitable<Result<JobReport>> wait_for_job(std::uint32_t actor, std::string key,
                                              std::string job) override;
    awaitable<Result<void>> write_stdin(std::uint32_t actor, std::string key, std::string job,
                                        std::string text) override;
    awaitable<Result<JobReport>> kill_job(std::uint32_t actor, std::string key,
                                          std::string job) override;

private:
    using Holder = std::pair<std::uint32_t, std::string>;

    /// Null if the actor holds no sandbox of the key. Nobody but the actor itself, which waits,
    /// takes it away.
    const Lease* held(std::uint32_t actor, const std::string& key) const;
    std::string keep(std::uint32_t actor, const std::string& key, Lease lease);

    SandboxManager manager_;
    Jobs jobs_{manager_};
    std::map<Holder, std::vector<Lease>> leases_;
};

ClientKind library();

}  // namespace drydock::scenarios
