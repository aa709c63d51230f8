#include "docker/answers.hpp"

#include <array>
#include <utility>

namespace drydock::docker {
namespace {

/// Docker's words, then those of engines that speak the same requests (Podman, Daytona's states).
constexpr std::array<std::pair<std::string_view, SandboxState>, 19> states = {{
    {"created", SandboxState::created},     {"running", SandboxState::running},
    {"exited", SandboxState::stopped},      {"paused", SandboxState::stopped},
    {"restarting", SandboxState::changing}, {"removing", SandboxState::removing},
    {"dead", SandboxState::failed},         {"configured", SandboxState::created},
    {"initialized", SandboxState::created}, {"stopped", SandboxState::stopped},
    {"creating", SandboxState::changing},   {"starting", SandboxState::changing},
    {"stopping", SandboxState::changing},   {"started", SandboxState::running},
    {"error", SandboxState::failed},        {"build_failed", SandboxState::failed},
    {"destroying", SandboxState::removing}, {"destroyed", SandboxState::removing},
    {"archived", SandboxState::stopped},
}};

}  // namespace

SandboxState state_of(std::string_view status) {
    for (const auto& [word, state] : states) {
        if (word == status) {
            return state;
        }
    }
    // A word from a newer engine. Whoever waits for a state looks again until his limit, and
    // whoever tears down only asks whether the sandbox is still there; a guess at more could end a
    // job.
    return SandboxState::changing;
}

}  // namespace drydock::docker
