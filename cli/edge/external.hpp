#pragma once

#include <string>
#include <vector>

namespace drydock::cli {

/// Runs a program in that folder, its output going to a file, and waits for it. Returns its exit
/// code, 128 + the signal if one ended it. Throws NotThere if it cannot be started.
int run_program(const std::vector<std::string>& command, const std::string& folder,
                const std::string& output_file);

/// Throws NotThere unless each of them is found in PATH.
void need_programs(const std::vector<std::string>& names);

}  // namespace drydock::cli
