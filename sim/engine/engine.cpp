#include <drydock/sim/engine.hpp>

#include "engine/execs.hpp"
#include "engine/files.hpp"
#include "engine/trait.hpp"

#include <algorithm>

namespace drydock::sim {
namespace {

constexpr std::uint8_t no_process = 0xff;

}  // namespace

SandboxEngine::SandboxEngine(World& world, Personality personality)
    : world_(world), personality_(personality), execs_(std::make_unique<Execs>(*this)) {}

SandboxEngine::~SandboxEngine() = default;

void SandboxEngine::record(EventKind kind, const Sandbox& sandbox, std::uint64_t value) {
    Event event;
    event.at = world_.now();
    event.kind = kind;
    event.process = no_process;
    event.subject = sandbox.number;
    event.value = value;
    world_.trace().add(event);
}

const Sandbox* SandboxEngine::named(std::string_view name) const {
    for (const auto& sandbox : sandboxes_) {
        if (!sandbox->is_gone && sandbox->name == name) {
            return sandbox.get();
        }
    }
    return nullptr;
}

const Sandbox* SandboxEngine::resolve(std::string_view reference) const {
    const Sandbox* by_prefix = nullptr;
    std::size_t prefixes = 0;
    for (const auto& sandbox : sandboxes_) {
        if (!sandbox->is_gone && !reference.empty() && sandbox->id.starts_with(reference)) {
            if (sandbox->id.size() == reference.size()) {
                return sandbox.get();
            }
            by_prefix = sandbox.get();
            ++prefixes;
        }
    }
    if (reference.starts_with('/')) {
        reference.remove_prefix(1);
    }
    if (const Sandbox* by_name = named(reference)) {
        return by_name;
    }
    return prefixes == 1 ? by_prefix : nullptr;
}

Sandbox* SandboxEngine::find(std::string_view reference) {
    const Sandbox* sandbox = resolve(reference);
    return sandbox == nullptr ? nullptr : sandboxes_[sandbox->number - 1].get();
}

Outcome SandboxEngine::inspect(std::string_view reference) {
    const Sandbox* sandbox = resolve(reference);
    if (sandbox == nullptr) {
        return {.verdict = Verdict::no_such_sandbox};
    }
    return {.id = sandbox->id, .sandbox = sandbox};
}

Files& SandboxEngine::files_of(Sandbox& sandbox) const {
    if (!sandbox.files) {
        sandbox.files = std::make_shared<Files>(sandbox.config, wall_at(sandbox.created));
    }
    return *sandbox.files;
}

Files* SandboxEngine::files(std::string_view reference) {
    Sandbox* const sandbox = find(reference);
    return sandbox == nullptr ? nullptr : &files_of(*sandbox);
}

const SandboxTruth* SandboxEngine::truth(std::string_view id_or_name) const {
    for (const SandboxTruth& truth : truths_) {
        if (truth.id == id_or_name) {
            return &truth;
        }
    }
    const Sandbox* sandbox = named(id_or_name);
    return sandbox == nullptr ? nullptr : &truths_[sandbox->number - 1];
}

bool SandboxEngine::is_listed(const Sandbox& sandbox) const {
    if (world_.now() < sandbox.created + personality_.list_delay) {
        return false;
    }
    return !sandbox.is_gone || world_.now() < sandbox.gone + personality_.list_delay;
}

std::vector<const Sandbox*> SandboxEngine::list() {
    const Trait* lag = nullptr;
    for (const auto& trait : traits_) {
        if (trait->choice.trait == faults::Trait::list_lag && world_.now() < trait->until) {
            lag = trait.get();
            break;
        }
    }
    std::vector<const Sandbox*> shown;
    bool differs = false;
    for (std::size_t i = sandboxes_.size(); i-- > 0;) {
        const Sandbox& sandbox = *sandboxes_[i];
        const bool is_due = is_listed(sandbox);
        const bool is_shown =
            lag == nullptr
                ? is_due
                : std::binary_search(lag->listed.begin(), lag->listed.end(), sandbox.number);
        differs = differs || is_due != is_shown;
        if (is_shown) {
            shown.push_back(&sandbox);
        }
    }
    if (differs) {
        strike([](const Trait& trait) { return trait.choice.trait == faults::Trait::list_lag; });
    }
    return shown;
}

}  // namespace drydock::sim
