#pragma once

#include "engine/task.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::sim {

/// A shell's exit code for a program that is not there.
inline constexpr int not_found = 127;

/// The model of the program that this task's argv names, as `why_not_run` lets it be run; null if
/// there is no such program. One that is known but not modelled further ends at once with 0.
std::unique_ptr<Behaviour> behaviour_of(const TaskSpec& spec);

/// Why a program cannot be run, as the runtime says it, and the exit code of a container that fails
/// so: 127 if it is not there, 126 if it is not executable, 128 if it is not tried.
struct Unrunnable {
    int exit_code = 0;
    std::string why;  ///< empty: it can be run
    bool was_tried = true;
};

Unrunnable why_not_run(const std::vector<std::string>& argv, std::string_view user, bool has_files);
/// The same for an exec, as the engine puts it; empty if it can be run.
std::string why_no_exec(const TaskSpec& spec, Tasks& tasks);

/// What the sandbox's processes begin with.
std::vector<std::string> environment_of(const SandboxConfig& config);

/// "sh" for "/bin/sh".
std::string_view name_of_program(std::string_view path);
/// Whether an image has a file at this path.
bool is_file_of_image(std::string_view path);

}  // namespace drydock::sim
