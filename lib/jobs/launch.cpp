#include "jobs/launch.hpp"

#include <utility>

namespace drydock::jobs {

namespace {

constexpr int had_begun = 101;
constexpr int no_record = 1;  // of `ln`: the job may have removed its folder
constexpr int no_guard = 122;

ExecSpec launch_of(const Session& session, const JobSpec& spec) {
    ExecSpec exec;
    exec.argv = session.guard("launch");
    exec.argv.emplace_back(spec.with_stdin ? "stdin" : "null");
    exec.argv.push_back(spec.working_dir.empty() ? "-" : spec.working_dir);
    exec.argv.emplace_back("--");
    exec.argv.insert(exec.argv.end(), spec.argv.begin(), spec.argv.end());
    exec.environment = spec.environment;
    return exec;
}

void note(const Session& session, const JobSpec& spec, std::string exec) {
    const detail::LaunchedJob job{spec, {}, session.core->runtime.now()};
    session.jobs().launched.try_emplace(session.job, job).first->second.exec = std::move(exec);
}

}  // namespace

// A conflict is a success: the network delivered this very request twice, or the sandbox has just
// been paused. Who waits for the job looks at the exec.
awaitable<Result<void>> launch(const Session& session, const JobSpec& spec) {
    const ExecSpec exec_spec = launch_of(session, spec);
    bool is_in_doubt = false;
    for (std::uint32_t tries = 1;; ++tries) {
        Result<std::string> exec = co_await create_exec(session, exec_spec);
        std::optional<Error> failure;
        if (!exec) failure = exec.error();
        if (!failure) failure = co_await why_stop(session);
        if (failure) co_return is_in_doubt ? in_doubt(*failure) : *failure;
        const CallContext context = session.context(Operation::exec_start);
        Result<void> started = co_await session.core->backend.exec_start(context, *exec);
        const bool is_accepted = started || started.error().landed() == Landed::yes ||
                                 started.error().kind() == ErrorKind::conflict;
        is_in_doubt = is_in_doubt || (!started && started.error().landed() == Landed::unknown);
        if (is_accepted || is_in_doubt) note(session, spec, std::move(*exec));
        if (is_accepted) co_return Result<void>();
        failure = co_await why_not_again(session, started.error(), tries);
        if (failure) co_return is_in_doubt ? in_doubt(*failure) : *failure;
    }
}

awaitable<Result<LaunchState>> look_at_launch(const Session& session, const std::string& exec) {
    for (std::uint32_t tries = 1;; ++tries) {
        const std::optional<Error> stop = co_await why_stop(session);
        if (stop) co_return *stop;
        const CallContext context = session.context(Operation::exec_inspect);
        Result<ExecStatus> status = co_await session.core->backend.exec_inspect(context, exec);
        if (status) {
            if (status->is_running) co_return LaunchState::under_way;
            const int code = status->exit_code.value_or(-1);
            if (code == no_guard) co_return LaunchState::impossible;
            const bool is_begun = code == 0 || code == had_begun || code == no_record;
            co_return is_begun ? LaunchState::begun : LaunchState::lost;
        }
        const Error error = status.error();
        if (error.kind() == ErrorKind::not_found) co_return LaunchState::lost;
        const std::optional<Error> failure = co_await why_not_again(session, error, tries);
        if (failure) co_return *failure;
    }
}

}  // namespace drydock::jobs
