#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_job_client.hpp"

namespace drydock::scenarios {

namespace {

// Seen in several clients of the Engine API: ExitCode is null while the exec runs, and a number
// that is not there reads as 0.
class NullExitCode final : public LegacyJobClient {
public:
    using LegacyJobClient::LegacyJobClient;

    awaitable<Result<JobReport>> run_job(std::uint32_t, JobRequest request) override {
        Result<std::string> exec = co_await exec_create(request);
        if (!exec) co_return exec.error();
        Result<Collected> collected = co_await collect(request, *exec);
        if (!collected) co_return collected.error();
        Result<ExecStatus> status = co_await exec_inspect(request.key, *exec);
        if (!status) co_return status.error();
        collected->report.exit_code = status->exit_code.value_or(0);
        co_return std::move(collected->report);
    }
};

}  // namespace

ClientKind null_exit_code() {
    return legacy_kind<NullExitCode>("null-exit-code",
                                     "takes an exit code that is not there for 0");
}

}  // namespace drydock::scenarios
