#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_job_client.hpp"

namespace drydock::scenarios {

namespace {

// PrimeIntellect-ai/prime#837 before its fix: the stream has ended, so the process has.
class Prime837Eof final : public LegacyJobClient {
public:
    using LegacyJobClient::LegacyJobClient;

    awaitable<Result<JobReport>> run_job(std::uint32_t, JobRequest request) override {
        Result<std::string> exec = co_await exec_create(request);
        if (!exec) co_return exec.error();
        Result<Collected> collected = co_await collect(request, *exec);
        if (!collected) co_return collected.error();
        co_return std::move(collected->report);
    }
};

}  // namespace

ClientKind prime_837_eof() {
    return legacy_kind<Prime837Eof>("prime-837-eof",
                                    "takes the end of the output for the end of the command");
}

}  // namespace drydock::scenarios
