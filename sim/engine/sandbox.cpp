#include <drydock/sim/sandbox.hpp>

#include <algorithm>
#include <array>

namespace drydock::sim {
namespace {

constexpr std::array<std::string_view, 11> words = {
    "creating", "created",  "starting",   "restarting", "running", "paused",
    "exited",   "removing", "destroying", "dead",       "error",
};

}  // namespace

std::string_view name(Status status) { return words[static_cast<std::size_t>(status)]; }

std::optional<Status> status_from_name(std::string_view name) {
    const auto* at = std::find(words.begin(), words.end(), name);
    if (at == words.end()) {
        return std::nullopt;
    }
    return static_cast<Status>(at - words.begin());
}

std::vector<std::string> SandboxConfig::argv() const {
    std::vector<std::string> all = entrypoint;
    all.insert(all.end(), command.begin(), command.end());
    return all;
}

std::string_view SandboxConfig::label(std::string_view key) const noexcept {
    for (const auto& [name, value] : labels) {
        if (name == key) {
            return value;
        }
    }
    return {};
}

}  // namespace drydock::sim
