#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_job_client.hpp"

namespace drydock::scenarios {

namespace {

// boxlite-ai/boxlite#1184: a command is known by its process id alone, so that its kill signals
// whoever has that number by then.
class Boxlite1184 final : public LegacyJobClient {
public:
    using LegacyJobClient::LegacyJobClient;

    awaitable<Result<void>> start_job(std::uint32_t, JobRequest request) override {
        JobRequest shown = request;
        shown.argv = telling_its_pid(request.argv);
        Result<std::string> exec = co_await exec_create(shown);
        if (!exec) co_return exec.error();
        const JobName name(request.key, request.job);
        execs_[name] = *exec;
        Result<std::string> pid = co_await first_line(shown, *exec);
        if (!pid) co_return pid.error();
        pids_[name] = *pid;
        co_return Result<void>();
    }

    awaitable<Result<JobReport>> kill_job(std::uint32_t actor, std::string key,
                                          std::string job) override {
        JobRequest kill;
        kill.key = key;
        kill.argv = {"kill", "-9", pids_[{key, job}]};
        Result<std::string> exec = co_await exec_create(kill);
        if (!exec) co_return exec.error();
        Result<void> started = co_await exec_start(kill, *exec);
        if (!started) co_return started.error();
        Result<JobReport> report = co_await wait_for_job(actor, key, job);
        co_return report;
    }

private:
    static std::vector<std::string> telling_its_pid(const std::vector<std::string>& argv) {
        std::string script = "echo $$; exec";
        for (const std::string& word : argv)
            script += " " + word;
        return {"sh", "-c", script};
    }

    /// The stream is then left, and the command goes on.
    awaitable<Result<std::string>> first_line(const JobRequest& request, const std::string& exec) {
        const CallContext call = context(Operation::exec_start, request.key);
        Result<std::unique_ptr<ExecStream>> opened = co_await seams_.backend.exec_open(call, exec);
        if (!opened) co_return opened.error();
        const std::unique_ptr<ExecStream> stream = std::move(*opened);
        const CallContext reading = context(Operation::exec_read, request.key);
        std::string text;
        while (text.find('\n') == std::string::npos) {
            Result<ExecOutput> output = co_await stream->read(reading);
            if (!output) co_return output.error();
            if (output->bytes.empty()) {
                const Error ended({.kind = ErrorKind::reset, .message = "no process id came"});
                co_return ended;
            }
            text += output->bytes;
        }
        text.resize(text.find('\n'));
        co_return text;
    }

    std::map<JobName, std::string> pids_;
};

}  // namespace

ClientKind boxlite_1184() {
    return legacy_kind<Boxlite1184>("boxlite-1184", "kills by a bare process id");
}

}  // namespace drydock::scenarios
