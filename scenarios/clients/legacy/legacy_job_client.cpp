#include "clients/legacy/legacy_job_client.hpp"

namespace drydock::scenarios {

awaitable<Result<std::string>> LegacyJobClient::obtain(const LeaseRequest& request) {
    return obtain_in_attempts(request);
}

awaitable<Result<JobReport>> LegacyJobClient::run_job(std::uint32_t, JobRequest request) {
    Result<std::string> exec = co_await exec_create(request);
    if (!exec) co_return exec.error();
    Result<Collected> collected = co_await collect(request, *exec);
    if (!collected) co_return collected.error();
    if (!collected->ended) co_return collected->ended.error();
    Result<int> code = co_await exit_code(request.key, *exec);
    if (!code) co_return code.error();
    collected->report.exit_code = *code;
    co_return std::move(collected->report);
}

awaitable<Result<void>> LegacyJobClient::start_job(std::uint32_t, JobRequest request) {
    Result<std::string> exec = co_await exec_create(request);
    if (!exec) co_return exec.error();
    execs_[{request.key, request.job}] = *exec;
    Result<void> started = co_await exec_start(request, *exec);
    co_return started;
}

awaitable<Result<JobReport>> LegacyJobClient::wait_for_job(std::uint32_t, std::string key,
                                                           std::string job) {
    const std::string exec = execs_[{key, job}];
    Result<int> code = co_await exit_code(key, exec);
    if (!code) co_return code.error();
    JobReport report;
    report.exit_code = *code;
    report.is_whole = false;
    co_return report;
}

awaitable<Result<std::string>> LegacyJobClient::exec_create(const JobRequest& request) {
    ExecSpec spec;
    spec.argv = request.argv;
    spec.environment.push_back("DRYDOCK_JOB=" + request.job);
    spec.has_output = true;
    const std::string id = sandbox_of(request.key);
    const CallContext call = context(Operation::exec_create, request.key);
    Result<std::string> created = co_await seams_.backend.exec_create(call, id, spec);
    co_return created;
}

awaitable<Result<void>> LegacyJobClient::exec_start(const JobRequest& request,
                                                    const std::string& exec) {
    const CallContext call = context(Operation::exec_start, request.key);
    Result<void> started = co_await seams_.backend.exec_start(call, exec);
    co_return started;
}

awaitable<Result<ExecStatus>> LegacyJobClient::exec_inspect(const std::string& key,
                                                            const std::string& exec) {
    const CallContext call = context(Operation::exec_inspect, key);
    Result<ExecStatus> status = co_await seams_.backend.exec_inspect(call, exec);
    co_return status;
}

awaitable<Result<LegacyJobClient::Collected>> LegacyJobClient::collect(const JobRequest& request,
                                                                       const std::string& exec) {
    const CallContext call = context(Operation::exec_start, request.key);
    Result<std::unique_ptr<ExecStream>> opened = co_await seams_.backend.exec_open(call, exec);
    if (!opened) co_return opened.error();
    const std::unique_ptr<ExecStream> stream = std::move(*opened);
    CallContext reading = context(Operation::exec_read, request.key);
    reading.limit = request.timeout.value_or(std::chrono::hours(1));
    Collected collected;
    for (;;) {
        Result<ExecOutput> output = co_await stream->read(reading);
        if (!output) collected.ended = output.error();
        if (!output || output->bytes.empty()) break;
        const bool is_err = output->source == ExecOutput::Source::err;
        (is_err ? collected.report.err : collected.report.out) += output->bytes;
    }
    co_return collected;
}

awaitable<Result<int>> LegacyJobClient::exit_code(const std::string& key, const std::string& exec) {
    for (;;) {
        Result<ExecStatus> status = co_await exec_inspect(key, exec);
        if (!status) co_return status.error();
        if (!status->is_running && status->exit_code) co_return *status->exit_code;
        co_await pause(key);
    }
}

awaitable<void> LegacyJobClient::pause(const std::string& key) {
    co_await seams_.runtime.sleep(Tag(Operation::job_wait, key), seams_.policy.settle,
                                  Interrupt::allowed);
}

}  // namespace drydock::scenarios
