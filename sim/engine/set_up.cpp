// What a start does before the program runs: the network, its ports, the program's user and file.
#include "engine/command.hpp"
#include "engine/obstacle.hpp"

#include <algorithm>
#include <array>

namespace drydock::sim {
namespace {

constexpr int set_up_failed = 128;
constexpr std::string_view shared = "container:";

}  // namespace

std::optional<SandboxEngine::Obstacle> SandboxEngine::why_not_connected(
    const Sandbox& sandbox) const {
    constexpr std::array<std::string_view, 4> known = {"bridge", "default", "host", "none"};
    std::string_view mode = sandbox.config.network_mode;
    if (!mode.starts_with(shared)) {
        const bool is_known =
            std::find(known.begin(), known.end(), mode) != known.end() ||
            std::find(networks_.begin(), networks_.end(), mode) != networks_.end();
        return is_known ? std::nullopt
                        : std::optional<Obstacle>(
                              {.verdict = Verdict::no_network,
                               .text = "network " + std::string(mode) + " not found"});
    }
    mode.remove_prefix(shared.size());
    const Sandbox* const other = resolve(mode);
    if (other == nullptr) {
        return Obstacle{.verdict = Verdict::no_network,
                        .text = "No such container: " + std::string(mode)};
    }
    if (other == &sandbox) {
        return Obstacle{.verdict = Verdict::cannot_set_up, .text = "cannot join own network"};
    }
    if (other->status != Status::running && other->status != Status::paused) {
        return Obstacle{.verdict = Verdict::network_down,
                        .text = "cannot join network of a non running container: " + other->id};
    }
    return std::nullopt;
}

std::optional<SandboxEngine::Obstacle> SandboxEngine::why_not_set_up(Sandbox& sandbox) const {
    if (auto obstacle = why_not_connected(sandbox)) {
        return obstacle;
    }
    if (std::string error = bind_ports(sandbox); !error.empty()) {
        return Obstacle{.verdict = Verdict::cannot_set_up, .text = std::move(error)};
    }
    sandbox.is_connected_once = true;
    Command command = command_of(sandbox.config);
    if (command.error.empty()) {
        return std::nullopt;
    }
    const bool is_set_up = command.exit_code == set_up_failed;
    return Obstacle{.verdict = is_set_up ? Verdict::cannot_set_up : Verdict::cannot_start,
                    .exit_code = command.exit_code,
                    .text = std::move(command.error)};
}

Outcome SandboxEngine::fail_start(Sandbox& sandbox, Obstacle obstacle) {
    sandbox.error = obstacle.text;
    const bool tried_program = obstacle.exit_code != set_up_failed;
    if (tried_program || sandbox.exit_code == 0) {  // a code from a run before stays
        sandbox.exit_code = obstacle.exit_code;
    }
    if (sandbox.config.auto_remove) {
        begin_removal(sandbox, 2);
        finish_removal(sandbox);
    }
    return {.verdict = obstacle.verdict,
            .id = sandbox.id,
            .sandbox = &sandbox,
            .text = std::move(obstacle.text)};
}

}  // namespace drydock::sim
