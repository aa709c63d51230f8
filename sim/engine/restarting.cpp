#include <drydock/sim/engine.hpp>

#include "engine/signals.hpp"
#include "engine/trait.hpp"

#include <algorithm>

namespace drydock::sim {
namespace {

constexpr Duration first_delay = std::chrono::milliseconds(100);
constexpr Duration longest_delay = std::chrono::minutes(1);
/// A run of that length makes the next delay the first one again.
constexpr Duration long_enough = std::chrono::seconds(10);
/// How far into a run one restarts by itself.
constexpr Duration until_restart = std::chrono::seconds(1);

}  // namespace

bool SandboxEngine::restarts_by_policy(const Sandbox& sandbox) const {
    if (sandbox.stopped_by_hand || sandbox.is_restarted_by_hand) {
        return false;
    }
    const SandboxConfig& config = sandbox.config;
    switch (config.restart_policy) {
        case RestartPolicy::none:
        case RestartPolicy::no: return false;
        case RestartPolicy::always:
        case RestartPolicy::unless_stopped: return true;
        case RestartPolicy::on_failure: break;
    }
    const bool has_tries_left =
        config.maximum_retries == 0 || sandbox.restarts < config.maximum_retries;
    return sandbox.exit_code != 0 && has_tries_left;
}

void SandboxEngine::begin_restart_by_policy(Sandbox& sandbox) {
    const bool is_first = sandbox.next_restart == Duration::zero() ||
                          sandbox.finished - sandbox.started >= long_enough;
    sandbox.next_restart =
        is_first ? first_delay : std::min(2 * sandbox.next_restart, longest_delay);
    set_status(sandbox, Status::restarting);
    change_after(sandbox, sandbox.next_restart, &SandboxEngine::finish_restart_by_policy);
}

void SandboxEngine::finish_restart_by_policy(Sandbox& sandbox) {
    ++sandbox.restarts;
    finish_start(sandbox);
}

void SandboxEngine::restart_later(Sandbox& sandbox) {
    change_after(sandbox, until_restart, &SandboxEngine::restart_by_itself);
}

// Once, whatever its policy: else it would come to nothing.
void SandboxEngine::restart_by_itself(Sandbox& sandbox) {
    strike(faults::Trait::restart, sandbox);
    std::erase_if(traits_, [&](const auto& trait) {
        return trait->choice.trait == faults::Trait::restart && trait->subject == sandbox.number;
    });
    end_run(sandbox, killed);
    set_status(sandbox, personality_.starting);
    change_after(sandbox, first_delay, &SandboxEngine::finish_restart_by_policy);
    answer_waiters(sandbox, false);
}

// Stopped between two runs.
void SandboxEngine::cancel_restart(Sandbox& sandbox) {
    sandbox.timer.cancel();
    set_status(sandbox, Status::exited);
    answer_waiters(sandbox, false);
}

void SandboxEngine::restart(std::string_view reference, std::optional<std::int64_t> seconds,
                            const Witness& accepted, Done done) {
    Sandbox* const sandbox = find(reference);
    if (sandbox == nullptr) {
        done({.verdict = Verdict::no_such_sandbox});
        return;
    }
    if (sandbox->status == Status::restarting) {
        cancel_restart(*sandbox);
    }
    if (!is_up(*sandbox)) {
        Outcome outcome = start(*sandbox);
        if (outcome.applied) {
            accepted();
            announce(*sandbox, "restart");
        }
        done(outcome);
        return;
    }
    accepted();
    sandbox->is_restarted_by_hand = true;
    waiters_.push_back(
        {sandbox->number, WaitFor::next_exit,
         [this, sandbox, done = std::move(done)](const Outcome&) { start_again(*sandbox, done); }});
    halt(*sandbox, seconds);
}

void SandboxEngine::start_again(Sandbox& sandbox, const Done& done) {
    sandbox.is_restarted_by_hand = false;
    if (sandbox.is_gone) {
        return done({.verdict = Verdict::no_such_sandbox});
    }
    announce(sandbox, "stop");
    const Outcome outcome = start(sandbox);
    if (outcome.applied) {
        announce(sandbox, "restart");
    }
    done(outcome);
}

}  // namespace drydock::sim
