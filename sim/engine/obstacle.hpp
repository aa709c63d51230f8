#pragma once

#include <drydock/sim/engine.hpp>

#include <string>

namespace drydock::sim {

/// What keeps a start from coming to a running program.
struct SandboxEngine::Obstacle {
    Verdict verdict{};
    int exit_code = 128;  ///< what the sandbox's becomes: 128 where no program was tried
    std::string text;
};

}  // namespace drydock::sim
