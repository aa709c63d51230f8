#include <drydock/sim/engine.hpp>

#include "engine/execs.hpp"
#include "engine/identity.hpp"
#include "engine/streams.hpp"
#include "engine/trait.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::sim {
namespace {

std::string failure_text(const Sandbox& sandbox) {
    return fmt::format(
        "container {}: driver \"vfs\" failed to remove root filesystem: unlinkat {}/keep: "
        "operation not permitted",
        sandbox.id, layer_folder(sandbox.id));
}

}  // namespace

std::optional<Verdict> SandboxEngine::why_not_removed(const Sandbox& sandbox, bool force) const {
    switch (sandbox.status) {
        case Status::removing:
        case Status::destroying:
            return personality_.refuses_while_changing ? Verdict::state_changing
                                                       : Verdict::removal_in_progress;
        case Status::creating:
        case Status::starting:
            if (personality_.refuses_while_changing) {
                return Verdict::state_changing;
            }
            break;
        case Status::running:
            if (!force) {
                return Verdict::still_running;
            }
            break;
        case Status::paused:
            if (!force) {
                return Verdict::still_paused;
            }
            break;
        case Status::restarting:
            if (!force) {
                return Verdict::still_restarting;
            }
            break;
        case Status::created:
        case Status::exited:
        case Status::dead:
        case Status::error: break;
    }
    return std::nullopt;
}

void SandboxEngine::remove(std::string_view reference, bool force, const Witness& accepted,
                           Done done) {
    Sandbox* const sandbox = find(reference);
    if (sandbox == nullptr) {
        done({.verdict = Verdict::no_such_sandbox});
        return;
    }
    if (const auto refusal = why_not_removed(*sandbox, force)) {
        done({.verdict = *refusal, .id = sandbox->id, .sandbox = sandbox});
        return;
    }
    if (is_acknowledged(Call::remove, {}, sandbox)) {
        done({.id = sandbox->id, .sandbox = sandbox});
        return;
    }
    accepted();
    begin_removal(*sandbox, 0);
    if (personality_.remove_answers_when_gone) {
        removals_.emplace_back(sandbox->number, std::move(done));
    } else {
        done({.id = sandbox->id, .sandbox = sandbox});
    }
}

void SandboxEngine::begin_removal(Sandbox& sandbox, std::uint64_t reason) {
    const bool was_up = is_up(sandbox);
    truths_[sandbox.number - 1].removal_accepted = true;
    record(EventKind::removal_begun, sandbox, reason);
    if (was_up) {
        announce(sandbox, "kill", 9);
        end_run(sandbox, 137);
    } else {
        sandbox.timer.cancel();
        std::erase_if(stuck_, [&](const auto& held) { return held.first == &sandbox; });
    }
    if (personality_.renames_on_removal) {
        free_name(sandbox);
        sandbox.name =
            fmt::format("DESTROYED_{}_{}", sandbox.name,
                        wall_at(world_.now()).time_since_epoch() / std::chrono::milliseconds(1));
    }
    set_status(sandbox, personality_.removing);
    change_after(sandbox, personality_.remove_time, &SandboxEngine::finish_removal);
    if (was_up) {
        answer_waiters(sandbox, false);
    }
}

void SandboxEngine::finish_removal(Sandbox& sandbox) {
    sandbox.timer.cancel();
    if (is_stuck(sandbox, Status::dead)) {
        sandbox.error = failure_text(sandbox);
        sandbox.removal_failed = true;
        truths_[sandbox.number - 1].removal_accepted = false;
        set_status(sandbox, Status::dead);
        record(EventKind::removal_failed, sandbox, 0);
        answer_removal(sandbox, {.verdict = Verdict::removal_failed,
                                 .id = sandbox.id,
                                 .sandbox = &sandbox,
                                 .text = sandbox.error});
        return;
    }
    if (!personality_.renames_on_removal) {
        free_name(sandbox);
    }
    sandbox.is_gone = true;
    sandbox.error.clear();  // who waits for the removal is told of no earlier failure
    sandbox.gone = world_.now();
    sandbox.files.reset();
    SandboxTruth& truth = truths_[sandbox.number - 1];
    truth.is_gone = true;
    truth.gone = world_.now();
    execs_->removed(sandbox);
    if (const auto streams = std::exchange(sandbox.streams, nullptr)) {
        streams->ended();
    }
    record(EventKind::gone, sandbox, 0);
    announce(sandbox, "destroy");
    answer_waiters(sandbox, true);
    answer_removal(sandbox, {.id = sandbox.id, .sandbox = &sandbox});
}

void SandboxEngine::answer_removal(const Sandbox& sandbox, const Outcome& outcome) {
    // An answer may bring the next call at once, so nothing may be walked while answering.
    std::vector<Done> due;
    for (auto& [number, done] : removals_) {
        if (number == sandbox.number) {
            due.push_back(std::move(done));
        }
    }
    std::erase_if(removals_, [&](const auto& held) { return held.first == sandbox.number; });
    for (const Done& done : due) {
        done(outcome);
    }
}

void SandboxEngine::free_name(const Sandbox& sandbox) {
    for (const auto& trait : traits_) {
        if (trait->choice.trait == faults::Trait::name_held_after_remove &&
            trait->subject == sandbox.number) {
            const Time until =
                trait->choice.lasts ? world_.after(*trait->choice.lasts) : Time::max();
            held_names_.push_back(
                {sandbox.name, sandbox.id, until, std::exchange(trait->witness, nullptr)});
        }
    }
}

}  // namespace drydock::sim
