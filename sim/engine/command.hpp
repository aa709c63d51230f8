#pragma once

#include <drydock/sim/sandbox.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

/// What a sandbox's command does, as far as it is modelled: `sleep N`, `true`, and `sh -c` with
/// statements of the forms `trap 'exit N' SIGNAL`, `sleep N`, `sh -c 'kill -N $$'`, `exit N`,
/// `exit $?` and `while :; ...`. A known
/// program that is not modelled further ends at once with 0.
struct Command {
    std::string error;                     ///< not empty: it cannot be started, and why
    int exit_code = 0;                     ///< of the program, or of the failed start
    std::optional<Duration> ends_after{};  ///< nothing: it runs until it is stopped
    /// Signals that it handles by ending, with the exit code. As process 1 it ignores all others
    /// but KILL.
    std::vector<std::pair<int, int>> handlers{};

    std::optional<int> handled_exit(int signal) const noexcept;
};

Command command_of(const SandboxConfig& config);

/// Whether an image has a file at this path.
bool is_file_of_image(std::string_view path);

}  // namespace drydock::sim
