#pragma once

#include <drydock/sim/sandbox.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace drydock::sim {

/// What a sandbox's own command comes to, where that can be said beforehand: without a task, which
/// most runs have no need of.
struct Command {
    std::string error{};                   ///< not empty: it cannot be started, and why
    int exit_code = 0;                     ///< of the program, or of the failed start
    std::optional<Duration> ends_after{};  ///< nothing: it runs until it is stopped
    /// Signals that it handles by ending, with the exit code. As process 1 it ignores all others
    /// but KILL.
    std::vector<std::pair<int, int>> handlers{};
    bool needs_task = false;  ///< it reads, prints or has children: only its task says when it ends

    std::optional<int> handled_exit(int signal) const noexcept;
};

Command command_of(const SandboxConfig& config);

}  // namespace drydock::sim
