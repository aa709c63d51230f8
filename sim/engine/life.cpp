#include <drydock/sim/engine.hpp>

#include "engine/command.hpp"
#include "engine/execs.hpp"
#include "engine/files.hpp"
#include "engine/obstacle.hpp"
#include "engine/signals.hpp"
#include "engine/trait.hpp"

namespace drydock::sim {
namespace {

constexpr Duration early = std::chrono::milliseconds(1);
constexpr Duration until_oom = std::chrono::seconds(1);

}  // namespace

void SandboxEngine::set_status(Sandbox& sandbox, Status status) {
    sandbox.status = status;
    record(EventKind::state_changed, sandbox, static_cast<std::uint64_t>(status));
}

void SandboxEngine::change_after(Sandbox& sandbox, Duration delay, Change change) {
    sandbox.timer.cancel();
    sandbox.timer = world_.call_after(
        delay, [this, &sandbox, change] { change_unless_stuck(sandbox, change); });
}

void SandboxEngine::change_unless_stuck(Sandbox& sandbox, Change change) {
    // A paused one's timers go on, but it comes to nothing before it is unpaused.
    if (sandbox.status == Status::paused || is_stuck(sandbox, sandbox.status)) {
        stuck_.emplace_back(&sandbox, change);
        return;
    }
    (this->*change)(sandbox);
}

std::optional<Verdict> SandboxEngine::why_not_started(const Sandbox& sandbox) const {
    switch (sandbox.status) {
        case Status::created:
        case Status::exited: return std::nullopt;
        case Status::running: return Verdict::unchanged;
        case Status::paused: return Verdict::is_paused;
        case Status::dead:
        case Status::error: return Verdict::marked_for_removal;
        case Status::restarting: return Verdict::unchanged;  // as it counts as running
        case Status::removing:
            return personality_.refuses_while_changing ? Verdict::state_changing
                                                       : Verdict::marked_for_removal;
        case Status::creating:
        case Status::starting:
        case Status::destroying: return Verdict::state_changing;
    }
    return std::nullopt;
}

Outcome SandboxEngine::start(std::string_view reference) {
    Sandbox* const found = find(reference);
    if (found == nullptr) {
        return {.verdict = Verdict::no_such_sandbox};
    }
    return start(*found);
}

Outcome SandboxEngine::start(Sandbox& sandbox) {
    if (const auto refusal = why_not_started(sandbox)) {
        return {.verdict = *refusal, .id = sandbox.id, .sandbox = &sandbox};
    }
    if (is_acknowledged(Call::start, {}, &sandbox)) {
        return {.id = sandbox.id, .sandbox = &sandbox};
    }
    if (auto obstacle = why_not_set_up(sandbox)) {
        return fail_start(sandbox, std::move(*obstacle));
    }
    sandbox.stopped_by_hand = false;
    sandbox.restarts = 0;
    sandbox.next_restart = {};
    if (personality_.start_time > Duration::zero() || is_stuck(sandbox, personality_.starting)) {
        set_status(sandbox, personality_.starting);
        change_after(sandbox, personality_.start_time, &SandboxEngine::finish_start);
    } else {
        finish_start(sandbox);
    }
    return {.applied = true, .id = sandbox.id, .sandbox = &sandbox};
}

void SandboxEngine::finish_start(Sandbox& sandbox) {
    sandbox.has_run = true;
    sandbox.started = world_.now();
    sandbox.error.clear();
    sandbox.exit_code = 0;
    sandbox.oom_killed = false;
    ++sandbox.starts;
    set_status(sandbox, Status::running);
    announce_network(sandbox, "connect");
    announce(sandbox, "start");
    if (has(faults::Trait::exit_early, sandbox)) {
        change_after(sandbox, early, &SandboxEngine::exit_early);
    } else if (has(faults::Trait::oom, sandbox)) {
        change_after(sandbox, until_oom, &SandboxEngine::exit_by_oom);
    } else if (has(faults::Trait::restart, sandbox)) {
        restart_later(sandbox);
    }
    const Command command = command_of(sandbox.config);
    if (command.needs_task) {
        begin_task(sandbox);
    } else if (command.ends_after && !sandbox.timer.pending()) {
        change_after(sandbox, *command.ends_after, &SandboxEngine::exit_by_program);
    }
}

void SandboxEngine::end_run(Sandbox& sandbox, int code) {
    sandbox.timer.cancel();
    sandbox.grace.cancel();
    std::erase_if(stuck_, [&](const auto& held) { return held.first == &sandbox; });
    sandbox.exit_code = code;
    sandbox.has_ended = true;
    sandbox.finished = world_.now();
    end_tasks(sandbox, code);
    announce(sandbox, "die", code);
    announce_network(sandbox, "disconnect");
    if (sandbox.files) {
        sandbox.files->forget_tmpfs();
    }
}

void SandboxEngine::exit(Sandbox& sandbox, int code) {
    end_run(sandbox, code);
    if (restarts_by_policy(sandbox)) {
        begin_restart_by_policy(sandbox);
    } else {
        set_status(sandbox, Status::exited);
        if (sandbox.config.auto_remove && !sandbox.is_restarted_by_hand) {
            begin_removal(sandbox, 2);
        }
    }
    answer_waiters(sandbox, false);
}

void SandboxEngine::exit_by_program(Sandbox& sandbox) {
    exit(sandbox, command_of(sandbox.config).exit_code);
}

void SandboxEngine::exit_early(Sandbox& sandbox) {
    strike(faults::Trait::exit_early, sandbox);
    exit(sandbox, 1);
}

void SandboxEngine::exit_by_oom(Sandbox& sandbox) {
    strike(faults::Trait::oom, sandbox);
    sandbox.oom_killed = true;
    announce(sandbox, "oom");
    exit(sandbox, killed);
}

// As recorded after TERM and a new start of the daemon: what its policy keeps runs again at once.
void SandboxEngine::restart_daemon(const Witness& witness) {
    std::vector<Sandbox*> up;  // an exit answers who waits, and that may bring a create
    for (const auto& sandbox : sandboxes_) {
        if (is_up(*sandbox)) {
            up.push_back(sandbox.get());
        }
    }
    for (Sandbox* const sandbox : up) {
        const RestartPolicy policy = sandbox->config.restart_policy;
        sandbox->stopped_by_hand = true;
        exit(*sandbox, killed);
        if (policy == RestartPolicy::always || policy == RestartPolicy::unless_stopped) {
            start(*sandbox);
        }
    }
    execs_->forget_all();
    const bool struck = !up.empty();
    if (struck && witness) {
        witness();
    }
}

void SandboxEngine::begin_for(Trait& trait, Sandbox& sandbox) {
    trait.subject = sandbox.number;
    const bool is_running = sandbox.status == Status::running;
    switch (trait.choice.trait) {
        case faults::Trait::exit_early:
            if (is_running) {
                change_after(sandbox, early, &SandboxEngine::exit_early);
            }
            break;
        case faults::Trait::oom:
            if (is_running) {
                change_after(sandbox, until_oom, &SandboxEngine::exit_by_oom);
            }
            break;
        case faults::Trait::restart:
            if (is_running) {
                restart_later(sandbox);
            }
            break;
        case faults::Trait::ttl_expiry:
            trait.until = Time::max();
            trait.timer = world_.call_after(trait.choice.lasts.value_or(Duration::zero()),
                                            [this, number = sandbox.number] { expire(number); });
            break;
        case faults::Trait::name_held_after_remove: trait.until = Time::max(); break;
        default: break;
    }
}

}  // namespace drydock::sim
