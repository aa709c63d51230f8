#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace drydock::cli {

/// Somebody stopped the command by this signal.
struct Stopped {
    int signal = 0;
};

/// While it lives, SIGINT, SIGTERM and SIGHUP end no command at once: `run_program` sees them and
/// throws Stopped, so that what was made is removed. One that comes after the last program acts
/// when the guard goes, so it must outlive what is to be removed.
class StopGuard {
public:
    StopGuard();
    StopGuard(const StopGuard&) = delete;
    StopGuard& operator=(const StopGuard&) = delete;
    ~StopGuard();

    /// Those signals, but for ignored ones (as nohup has it), and SIGCHLD.
    const sigset_t& signals() const { return signals_; }

private:
    sigset_t signals_{};
    sigset_t before_{};
};

/// Runs a program in that folder, its output going to a file, and waits for it. Returns its exit
/// code, 128 + the signal if one ended it. Throws NotThere if it cannot be started, and Stopped,
/// after it has ended the program, if the guard's signals say so.
int run_program(const std::vector<std::string>& command, const std::string& folder,
                const std::string& output_file, const StopGuard& guard);

/// Throws NotThere unless each of them is found in PATH.
void need_programs(const std::vector<std::string>& names);

}  // namespace drydock::cli
