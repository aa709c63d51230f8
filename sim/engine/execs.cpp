#include "engine/execs.hpp"

#include "engine/files.hpp"
#include "engine/identity.hpp"
#include "engine/programs.hpp"
#include "engine/streams.hpp"

#include <algorithm>
#include <utility>

namespace drydock::sim {
namespace {

constexpr int cannot_run = 126;

TaskSpec spec_of(const Exec& exec, const SandboxConfig& sandbox) {
    TaskSpec spec;
    const ExecConfig& config = exec.config;
    spec.argv = config.argv;
    spec.environment = environment_of(sandbox);
    spec.environment.insert(spec.environment.end(), config.environment.begin(),
                            config.environment.end());
    spec.folder = config.folder.empty() ? sandbox.working_dir : config.folder;
    spec.folder = spec.folder.empty() ? "/" : spec.folder;
    spec.user = config.user.empty() ? sandbox.user : config.user;
    spec.has_input = config.has_input;
    spec.has_terminal = config.has_terminal;
    if (config.has_output) {
        spec.out =
            std::make_shared<ListenerOutlet>(exec.listener, Source::out, config.has_terminal);
    }
    if (config.has_error_output) {
        spec.err =
            std::make_shared<ListenerOutlet>(exec.listener, Source::err, config.has_terminal);
    }
    return spec;
}

/// As the engine's events tell it: ": sh -c exit 2", and ": true " without arguments.
EventDetails details_of(const Exec& exec) {
    const std::vector<std::string>& argv = exec.config.argv;
    std::string command = ": " + argv[0];
    if (argv.size() == 1) {
        command.push_back(' ');
    }
    for (std::size_t i = 1; i < argv.size(); ++i) {
        command.append(" ").append(argv[i]);
    }
    return {.command = std::move(command), .attributes = {{"execID", exec.id}}};
}

}  // namespace

const Exec& Execs::create(const Sandbox& sandbox, ExecConfig config) {
    std::string command;
    for (const std::string& word : config.argv) {
        command.append(word).push_back('\0');
    }
    const std::uint32_t before = made_[{sandbox.number, command}]++;
    Exec& exec = *execs_.emplace_back(std::make_shared<Exec>());
    exec.id = hex_digest({sandbox.id, "exec", command, std::to_string(before)});
    exec.sandbox = sandbox.number;
    exec.config = std::move(config);
    engine_.announce(sandbox, "exec_create", details_of(exec));
    return exec;
}

std::shared_ptr<Exec> Execs::find(std::string_view id) const {
    const auto at = std::find_if(execs_.begin(), execs_.end(),
                                 [id](const auto& exec) { return exec->id == id; });
    return at == execs_.end() ? nullptr : *at;
}

std::vector<std::string> Execs::pending_in(const Sandbox& sandbox) const {
    std::vector<std::string> pending;
    for (const auto& exec : execs_) {
        if (exec->sandbox == sandbox.number && !exec->exit_code) {
            pending.push_back(exec->id);
        }
    }
    return pending;
}

std::string Execs::start(const std::shared_ptr<Exec>& exec, std::shared_ptr<Listener> listener) {
    Tasks& tasks = engine_.tasks(exec->sandbox);
    exec->has_begun = true;
    exec->listener = std::move(listener);
    engine_.announce(tasks.sandbox(), "exec_start", details_of(*exec));
    TaskSpec spec = spec_of(*exec, tasks.sandbox().config);
    if (std::string error = why_no_exec(spec, tasks); !error.empty()) {
        exec->exit_code = cannot_run;
        exec->listener.reset();
        return error;
    }
    exec->is_running = true;
    auto behaviour = behaviour_of(spec);
    const Sandbox& sandbox = tasks.sandbox();
    const auto ended = [this, exec, &sandbox](int code) {
        exec->is_running = false;
        exec->exit_code = code;
        engine_.announce(
            sandbox, "exec_die",
            {.attributes = {{"execID", exec->id}, {"exitCode", std::to_string(code)}}});
        if (const auto hearing = std::exchange(exec->listener, nullptr)) {
            hearing->ended();
        }
    };
    const Task& task = tasks.begin(std::move(spec), 0, std::move(behaviour), ended);
    exec->pid = task.pid();
    return {};
}

Task* Execs::reader_of(const Exec& exec) {
    const bool reads = exec.is_running && exec.config.has_input;
    return reads ? engine_.tasks(exec.sandbox).find(exec.pid) : nullptr;
}

void Execs::input(const Exec& exec, std::string_view bytes) {
    if (Task* const task = reader_of(exec)) {
        task->tasks().input(*task, bytes);
    }
}

void Execs::input_end(const Exec& exec) {
    if (Task* const task = reader_of(exec)) {
        task->tasks().input_end(*task);
    }
}

void Execs::resize(const Exec& exec, int rows, int columns) {
    if (exec.is_running && exec.config.has_terminal) {
        Tasks& tasks = engine_.tasks(exec.sandbox);
        tasks.resize(*tasks.find(exec.pid), rows, columns);
    }
}

void Execs::run_ended(const Sandbox& sandbox) {
    std::erase_if(execs_, [&](const auto& exec) {
        return exec->sandbox == sandbox.number && !exec->has_begun;
    });
}

void Execs::removed(const Sandbox& sandbox) {
    std::erase_if(execs_, [&](const auto& exec) { return exec->sandbox == sandbox.number; });
}

}  // namespace drydock::sim
