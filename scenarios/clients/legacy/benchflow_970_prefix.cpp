#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_job_client.hpp"

namespace drydock::scenarios {

namespace {

// benchflow-ai/benchflow#970 before its fix: the class of a failure is guessed from its text after
// the type is gone, and a broken line has none.
class Benchflow970Prefix final : public LegacyJobClient {
public:
    using LegacyJobClient::LegacyJobClient;

    awaitable<Result<JobReport>> run_job(std::uint32_t, JobRequest request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<std::string> exec = co_await exec_create(request);
            if (exec) {
                Result<JobReport> report = co_await finish(request, *exec);
                co_return report;
            }
            const Error error = filed(exec.error());
            const bool ends = !is_transient(error.kind()) || tries >= seams_.policy.attempts;
            if (ends) co_return error;
            co_await back_off(request.key, tries);
        }
    }

private:
    awaitable<Result<JobReport>> finish(const JobRequest& request, const std::string& exec) {
        Result<Collected> collected = co_await collect(request, exec);
        if (!collected) co_return filed(collected.error());
        if (!collected->ended) co_return filed(collected->ended.error());
        Result<int> code = co_await exit_code(request.key, exec);
        if (!code) co_return filed(code.error());
        collected->report.exit_code = *code;
        co_return std::move(collected->report);
    }

    /// By its text, which for a broken line is the bare prefix of the method.
    static Error filed(const Error& error) {
        const std::string text = "Failed to execute command: " + std::string(error.message());
        const bool is_known = text.find("unavailable") != std::string::npos;
        return Error(
            {.kind = is_known ? ErrorKind::unavailable : ErrorKind::internal, .message = text});
    }
};

}  // namespace

ClientKind benchflow_970_prefix() {
    return legacy_kind<Benchflow970Prefix>("benchflow-970-prefix",
                                           "tells transient failures by their text");
}

}  // namespace drydock::scenarios
