#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_job_client.hpp"

namespace drydock::scenarios {

namespace {

// benchflow-ai/benchflow#970, a naive retry of the asynchronous exec: the launcher binds another
// port, overwrites the pid file, and the first one lives on.
class Benchflow970Async final : public LegacyJobClient {
public:
    using LegacyJobClient::LegacyJobClient;

    awaitable<Result<void>> start_job(std::uint32_t actor, JobRequest request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<void> started = co_await LegacyJobClient::start_job(actor, request);
            if (started) co_return started;
            const Error error = started.error();
            const bool ends = !is_transient(error.kind()) || tries >= seams_.policy.attempts;
            if (ends) co_return error;
            co_await back_off(request.key, tries);
        }
    }
};

}  // namespace

ClientKind benchflow_970_async() {
    return legacy_kind<Benchflow970Async>(
        "benchflow-970-async",
        "launches an asynchronous command again when its answer did not come");
}

}  // namespace drydock::scenarios
