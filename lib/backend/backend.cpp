#include <drydock/backend.hpp>

namespace drydock {

std::string_view name(SandboxState state) {
    switch (state) {
        case SandboxState::created: return "created";
        case SandboxState::changing: return "changing";
        case SandboxState::running: return "running";
        case SandboxState::stopped: return "stopped";
        case SandboxState::failed: return "failed";
        case SandboxState::removing: return "removing";
    }
    return "unknown";
}

std::string_view SandboxInfo::label(std::string_view wanted) const noexcept {
    for (const auto& [key, value] : labels) {
        if (key == wanted) {
            return value;
        }
    }
    return {};
}

}  // namespace drydock
