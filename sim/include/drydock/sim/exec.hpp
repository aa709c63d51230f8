#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace drydock::sim {

class Listener;

/// What an exec create asked for.
struct ExecConfig {
    std::vector<std::string> argv;
    std::vector<std::string> environment;  ///< beside the sandbox's own
    std::string folder{};                  ///< empty: the sandbox's working dir
    std::string user{};                    ///< empty: the sandbox's
    std::string detach_keys{};
    bool has_input = false;
    bool has_output = false;
    bool has_error_output = false;
    bool has_terminal = false;
    bool is_privileged = false;
};

/// A program that was made ready to run in a sandbox, and what became of it.
struct Exec {
    std::string id;
    std::uint32_t sandbox = 0;  ///< its number
    ExecConfig config;
    bool has_begun = false;
    bool is_running = false;
    std::optional<int> exit_code;        ///< once it has ended, or could not be started
    std::uint32_t pid = 0;               ///< in the sandbox; 0: there never was a process
    std::shared_ptr<Listener> listener;  ///< of an attached one, until it ends
};

}  // namespace drydock::sim
