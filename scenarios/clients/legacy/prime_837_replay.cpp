#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_job_client.hpp"

namespace drydock::scenarios {

namespace {

// PrimeIntellect-ai/prime#837 before its guard: whatever is ambiguous about a launch is launched
// again.
class Prime837Replay final : public LegacyJobClient {
public:
    using LegacyJobClient::LegacyJobClient;

    awaitable<Result<JobReport>> run_job(std::uint32_t actor, JobRequest request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<JobReport> report = co_await LegacyJobClient::run_job(actor, request);
            if (report) co_return report;
            const Error error = report.error();
            const bool ends = !is_transient(error.kind()) || tries >= seams_.policy.attempts;
            if (ends) co_return error;
            co_await back_off(request.key, tries);
        }
    }
};

}  // namespace

ClientKind prime_837_replay() {
    return legacy_kind<Prime837Replay>("prime-837-replay",
                                       "runs a command again when its answer did not come");
}

}  // namespace drydock::scenarios
