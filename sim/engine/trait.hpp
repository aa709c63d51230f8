#pragma once

#include <drydock/sim/engine.hpp>

#include <utility>

namespace drydock::sim {

/// One misbehaviour at work.
struct SandboxEngine::Trait {
    faults::EngineChoice choice;
    Call call{};
    std::string name;           ///< of a create: the name that it will take
    std::uint32_t subject = 0;  ///< the sandbox concerned, 0 for none (yet)
    Time until = Time::max();
    Witness witness;
    std::vector<std::uint32_t> listed{};  ///< of `list_lag`: what was listed when it set in
    Callback timer{};

    void took_effect() {
        if (witness) {
            std::exchange(witness, nullptr)();
        }
    }
};

/// Tells every trait at work that matches that it took effect. False if there is none.
template <class Matches>
bool SandboxEngine::strike(Matches matches) {
    bool struck = false;
    for (const auto& trait : traits_) {
        if (world_.now() < trait->until && matches(*trait)) {
            trait->took_effect();
            struck = true;
        }
    }
    return struck;
}

}  // namespace drydock::sim
