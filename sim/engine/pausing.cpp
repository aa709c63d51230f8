#include <drydock/sim/engine.hpp>

#include "engine/task.hpp"

namespace drydock::sim {

Outcome SandboxEngine::pause(std::string_view reference) {
    Sandbox* const sandbox = find(reference);
    if (sandbox == nullptr) {
        return {.verdict = Verdict::no_such_sandbox};
    }
    Outcome outcome{.id = sandbox->id, .sandbox = sandbox};
    switch (sandbox->status) {
        case Status::running:
            set_status(*sandbox, Status::paused);
            announce(*sandbox, "pause");
            outcome.applied = true;
            break;
        case Status::paused: outcome.verdict = Verdict::already_paused; break;
        case Status::restarting: outcome.verdict = Verdict::is_restarting; break;
        default: outcome.verdict = Verdict::not_running; break;
    }
    return outcome;
}

void SandboxEngine::resume(Sandbox& sandbox) {
    set_status(sandbox, Status::running);
    announce(sandbox, "unpause");
    if (sandbox.tasks) {
        sandbox.tasks->go_on();
    }
    resume_stuck();
}

Outcome SandboxEngine::unpause(std::string_view reference) {
    Sandbox* const sandbox = find(reference);
    if (sandbox == nullptr) {
        return {.verdict = Verdict::no_such_sandbox};
    }
    if (sandbox->status != Status::paused) {
        return {.verdict = Verdict::not_paused, .id = sandbox->id, .sandbox = sandbox};
    }
    resume(*sandbox);
    return {.applied = true, .id = sandbox->id, .sandbox = sandbox};
}

}  // namespace drydock::sim
