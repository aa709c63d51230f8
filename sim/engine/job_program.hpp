#pragma once

#include "engine/task.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace drydock::sim {

/// A job as scenarios describe it: `drydock-job takes=3s out=4096 err=10 exit=3 reads=5 children=1
/// ignores_term launcher`, each word optional and in any order.
struct JobProgram {
    Duration takes{};
    std::uint64_t out = 0;  ///< bytes of sim::job_output, spread over its time
    std::uint64_t err = 0;
    int exit_code = 0;
    std::uint64_t reads = 0;     ///< it does not end before it was given so many, or their end
    std::uint32_t children = 0;  ///< which take as long, and are no use
    bool ignores_term = false;
    /// It leaves a daemon with a port of its own, whose pid it writes to /tmp/launcher.pid, and
    /// exits 0.
    bool is_launcher = false;
};

/// What the words ask for; `error` says which of them cannot be understood.
JobProgram read_job_program(const std::vector<std::string>& argv, std::string& error);

std::unique_ptr<Behaviour> job_behaviour();

}  // namespace drydock::sim
