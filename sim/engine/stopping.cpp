#include <drydock/sim/engine.hpp>

#include "engine/command.hpp"
#include "engine/signals.hpp"

namespace drydock::sim {
namespace {

constexpr int highest_signal = 64;
constexpr std::int64_t default_grace = 10;
/// What a stop gives a sandbox whose stop signal is none.
constexpr Duration unsent_grace = std::chrono::seconds(2);

}  // namespace

void SandboxEngine::exit_by_handler(Sandbox& sandbox) { exit(sandbox, sandbox.handler_code); }

// Process 1 ignores what it has no handler for, but for KILL.
void SandboxEngine::deliver(Sandbox& sandbox, int signal) {
    if (signal == kill_signal) {
        exit(sandbox, killed);
        return;
    }
    const int own_signal = sandbox.config.stop_signal;
    if (sandbox.status == Status::paused && (own_signal == 0 || own_signal == signal)) {
        resume(sandbox);  // whoever means to stop it wants it to hear
    }
    if (!is_up(sandbox)) {
        return;
    }
    if (const auto code = command_of(sandbox.config).handled_exit(signal)) {
        sandbox.handler_code = *code;
        change_after(sandbox, handler_time, &SandboxEngine::exit_by_handler);
    }
}

void SandboxEngine::send(Sandbox& sandbox, int signal) {
    announce(sandbox, "kill", signal);
    deliver(sandbox, signal);
}

void SandboxEngine::kill_after(Sandbox& sandbox, Duration grace) {
    sandbox.grace = world_.call_after(grace, [this, &sandbox] { send(sandbox, kill_signal); });
}

void SandboxEngine::halt(Sandbox& sandbox, std::optional<std::int64_t> seconds) {
    const std::int64_t grace =
        seconds.value_or(sandbox.config.stop_timeout.value_or(default_grace));
    const int signal = sandbox.config.stop_signal == 0 ? term_signal : sandbox.config.stop_signal;
    if (signal < 0 || signal > highest_signal) {  // it cannot be sent
        kill_after(sandbox, unsent_grace);
        return;
    }
    if (grace == 0) {  // the signal is sent, and nobody waits for what it does
        announce(sandbox, "kill", signal);
        send(sandbox, kill_signal);
        return;
    }
    send(sandbox, signal);
    if (grace > 0 && is_up(sandbox)) {
        kill_after(sandbox, std::chrono::seconds(grace));
    }
}

void SandboxEngine::stop(std::string_view reference, std::optional<std::int64_t> seconds,
                         const Witness& accepted, Done done) {
    Sandbox* const sandbox = find(reference);
    if (sandbox == nullptr) {
        done({.verdict = Verdict::no_such_sandbox});
        return;
    }
    if (!is_up(*sandbox) && sandbox->status != Status::restarting) {
        done({.verdict = Verdict::unchanged, .id = sandbox->id, .sandbox = sandbox});
        return;
    }
    accepted();
    sandbox->stopped_by_hand = true;
    waiters_.push_back({sandbox->number, WaitFor::next_exit,
                        [this, sandbox, done = std::move(done)](const Outcome& outcome) {
                            finish_stop(*sandbox, outcome, done);
                        }});
    if (sandbox->status == Status::restarting) {
        cancel_restart(*sandbox);
    } else {
        halt(*sandbox, seconds);
    }
}

void SandboxEngine::finish_stop(const Sandbox& sandbox, const Outcome& outcome, const Done& done) {
    announce(sandbox, "stop");
    done(outcome);
}

Outcome SandboxEngine::kill(std::string_view reference, int signal) {
    Sandbox* const sandbox = find(reference);
    if (sandbox == nullptr) {
        return {.verdict = Verdict::no_such_sandbox};
    }
    if (!is_up(*sandbox) && sandbox->status != Status::restarting) {
        return {.verdict = Verdict::not_running, .id = sandbox->id, .sandbox = sandbox};
    }
    sandbox->stopped_by_hand = true;
    if (sandbox->status == Status::restarting) {
        cancel_restart(*sandbox);
    } else {
        send(*sandbox, signal);
    }
    return {.applied = true, .id = sandbox->id, .sandbox = sandbox};
}

void SandboxEngine::wait(std::string_view reference, WaitFor what, Done done) {
    const Sandbox* const sandbox = resolve(reference);
    if (sandbox == nullptr) {
        done({.verdict = Verdict::no_such_sandbox});
        return;
    }
    if (what == WaitFor::not_running && !is_up(*sandbox) && sandbox->status != Status::restarting) {
        done({.id = sandbox->id, .sandbox = sandbox});
        return;
    }
    waiters_.push_back({sandbox->number, what, std::move(done)});
}

// An answer may bring the next call at once, so nothing may be walked while answering.
void SandboxEngine::answer_waiters(const Sandbox& sandbox, bool is_gone) {
    std::vector<Done> due;
    std::erase_if(waiters_, [&](Waiter& waiter) {
        const bool is_due =
            waiter.number == sandbox.number && (is_gone || waiter.what != WaitFor::removed);
        if (is_due) {
            due.push_back(std::move(waiter.done));
        }
        return is_due;
    });
    for (const Done& done : due) {
        done({.id = sandbox.id, .sandbox = &sandbox});
    }
}

}  // namespace drydock::sim
