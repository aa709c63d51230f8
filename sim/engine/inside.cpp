// What runs inside a sandbox: its processes, and the streams of its own program.
#include "engine/command.hpp"
#include "engine/execs.hpp"
#include "engine/programs.hpp"
#include "engine/signals.hpp"
#include "engine/streams.hpp"

#include <utility>

namespace drydock::sim {
namespace {

TaskSpec first_spec(const SandboxConfig& config, const std::shared_ptr<Streams>& streams) {
    TaskSpec spec;
    spec.argv = config.argv();
    spec.environment = environment_of(config);
    spec.folder = config.working_dir.empty() ? "/" : config.working_dir;
    spec.user = config.user;
    spec.out = std::make_shared<ListenerOutlet>(streams, Source::out, config.tty);
    spec.err = std::make_shared<ListenerOutlet>(streams, Source::err, config.tty);
    spec.has_input = config.open_stdin;
    spec.has_terminal = config.tty;
    return spec;
}

}  // namespace

Streams& SandboxEngine::streams(const Sandbox& sandbox) {
    auto& streams = sandboxes_[sandbox.number - 1]->streams;
    if (!streams) {
        streams = std::make_shared<Streams>(world_);
    }
    return *streams;
}

Tasks& SandboxEngine::tasks(std::uint32_t number) {
    Sandbox& sandbox = *sandboxes_[number - 1];
    if (!sandbox.tasks) {
        sandbox.tasks = std::make_shared<Tasks>(*this, sandbox, files_of(sandbox), processes_);
        streams(sandbox);
        sandbox.tasks->begin_first(first_spec(sandbox.config, sandbox.streams), nullptr, {});
    }
    return *sandbox.tasks;
}

/// Only for a program that reads or prints; of any other the engine knows all without.
void SandboxEngine::begin_task(Sandbox& sandbox) {
    Streams& held = streams(sandbox);
    sandbox.tasks = std::make_shared<Tasks>(*this, sandbox, files_of(sandbox), processes_);
    TaskSpec spec = first_spec(sandbox.config, sandbox.streams);
    auto behaviour = behaviour_of(spec);
    Task& first = sandbox.tasks->begin_first(
        std::move(spec), std::move(behaviour), [this, &sandbox](int code) {
            sandbox.handler_code = code;
            change_unless_stuck(sandbox, &SandboxEngine::exit_by_handler);
        });
    if (!held.early_input.empty()) {
        sandbox.tasks->input(first, std::exchange(held.early_input, {}));
    }
    if (std::exchange(held.is_input_over, false)) {
        sandbox.tasks->input_end(first);
    }
}

/// The behaviours may be what brought the end about, so they go when control is back in the world.
void SandboxEngine::end_tasks(Sandbox& sandbox, int code) {
    if (const auto tasks = std::exchange(sandbox.tasks, nullptr)) {
        tasks->end_all(code);
        world_.call_after({}, [tasks] {});
    }
    if (const auto streams = sandbox.streams) {
        streams->ended();
    }
    execs_->run_ended(sandbox);
}

StepIntervention SandboxEngine::ask_at_step(const Sandbox& sandbox) const {
    return step_hook_ ? step_hook_(truths_[sandbox.number - 1]) : StepIntervention{};
}

void SandboxEngine::signal_from_inside(Sandbox& sandbox, int signal) {
    if (signal != kill_signal) {
        deliver(sandbox, signal);
    }
}

void SandboxEngine::input(const Sandbox& sandbox, std::string_view bytes) {
    if (!sandbox.config.open_stdin) {
        return;
    }
    if (sandbox.tasks) {
        if (Task* const first = sandbox.tasks->find(1)) {
            sandbox.tasks->input(*first, bytes);
        }
    } else {
        streams(sandbox).early_input.append(bytes);
    }
}

void SandboxEngine::input_end(const Sandbox& sandbox) {
    if (!sandbox.config.open_stdin) {
        return;
    }
    if (sandbox.tasks) {
        if (Task* const first = sandbox.tasks->find(1)) {
            sandbox.tasks->input_end(*first);
        }
    } else {
        streams(sandbox).is_input_over = true;
    }
}

}  // namespace drydock::sim
