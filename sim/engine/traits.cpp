#include <drydock/sim/engine.hpp>

#include "engine/trait.hpp"

#include <algorithm>

namespace drydock::sim {
namespace {

/// Personalities have different words for one thing; a plan may use either.
Status common(Status status) {
    switch (status) {
        case Status::restarting: return Status::starting;
        case Status::destroying: return Status::removing;
        default: return status;
    }
}

bool concerns_all(faults::Trait kind) {
    return kind == faults::Trait::list_lag || kind == faults::Trait::daemon_restart;
}

}  // namespace

bool SandboxEngine::strike(faults::Trait kind, const Sandbox& sandbox) {
    return strike([&](const Trait& trait) {
        return trait.choice.trait == kind && trait.subject == sandbox.number;
    });
}

bool SandboxEngine::has(faults::Trait kind, const Sandbox& sandbox) const {
    return std::any_of(traits_.begin(), traits_.end(), [&](const auto& trait) {
        return trait->choice.trait == kind && trait->subject == sandbox.number &&
               world_.now() < trait->until;
    });
}

bool SandboxEngine::is_acknowledged(Call call, std::string_view name, const Sandbox* sandbox) {
    return strike([&](const Trait& trait) {
        return trait.choice.trait == faults::Trait::ack_without_effect && trait.call == call &&
               (sandbox == nullptr ? trait.name == name : trait.subject == sandbox->number);
    });
}

bool SandboxEngine::is_stuck(const Sandbox& sandbox, Status status) {
    return strike([&](const Trait& trait) {
        if (trait.choice.trait != faults::Trait::stuck || trait.subject != sandbox.number) {
            return false;
        }
        const auto wanted = status_from_name(trait.choice.state.value_or(std::string()));
        return wanted && common(*wanted) == common(status);
    });
}

void SandboxEngine::begin_trait(const faults::EngineChoice& choice, Call call,
                                std::string_view reference, Witness witness) {
    if (choice.trait == faults::Trait::daemon_restart) {
        restart_daemon(witness);
        return;
    }
    Sandbox* const subject = call == Call::create || call == Call::list ? nullptr : find(reference);
    if (subject == nullptr && call != Call::create && !concerns_all(choice.trait)) {
        return;  // there is nothing that it could change
    }
    Trait& trait = *traits_.emplace_back(std::make_unique<Trait>());
    trait.choice = choice;
    trait.call = call;
    trait.name = call == Call::create ? reference : std::string_view();
    trait.until = choice.lasts ? world_.after(*choice.lasts) : Time::max();
    trait.witness = std::move(witness);
    if (choice.trait == faults::Trait::list_lag) {
        for (const auto& sandbox : sandboxes_) {
            if (is_listed(*sandbox)) {
                trait.listed.push_back(sandbox->number);
            }
        }
    }
    if (choice.trait == faults::Trait::stuck && choice.lasts) {
        trait.timer = world_.call_after(*choice.lasts, [this] { resume_stuck(); });
    }
    if (subject != nullptr) {
        begin_for(trait, *subject);
    }
}

void SandboxEngine::expire(std::uint32_t number) {
    Sandbox& sandbox = *sandboxes_[number - 1];
    if (sandbox.is_gone || common(sandbox.status) == Status::removing) {
        return;
    }
    strike(faults::Trait::ttl_expiry, sandbox);
    begin_removal(sandbox, 1);
}

void SandboxEngine::resume_stuck() {
    // A change may answer a call whose client acts at once, so the list is taken away first.
    std::vector<std::pair<Sandbox*, Change>> held;
    held.swap(stuck_);
    for (const auto& [sandbox, change] : held) {
        change_unless_stuck(*sandbox, change);
    }
}

void SandboxEngine::stop_faults() {
    faults_are_on_ = false;
    for (const auto& trait : traits_) {
        trait->timer.cancel();
    }
    traits_.clear();
    held_names_.clear();
    resume_stuck();
}

}  // namespace drydock::sim
