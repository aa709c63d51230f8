#include "story/operations.hpp"

#include <fmt/format.h>

namespace drydock::reports {
namespace {

std::string named(std::uint32_t sandbox) {
    return sandbox == 0 ? "a sandbox" : fmt::format("sandbox {}", sandbox);
}

}  // namespace

std::string deed(Operation operation, std::uint32_t sandbox) {
    switch (operation) {
        case Operation::container_create: return "asks for a sandbox";
        case Operation::container_start: return "asks to start " + named(sandbox);
        case Operation::container_inspect:
            return sandbox == 0 ? "looks a sandbox up by name" : "looks at " + named(sandbox);
        case Operation::container_list: return "lists its sandboxes";
        case Operation::container_remove: return "asks to remove " + named(sandbox);
        case Operation::late_lookup: return "looks for a sandbox that came late";
        case Operation::exec_create: return "prepares a program in " + named(sandbox);
        case Operation::exec_start: return "starts a program";
        case Operation::exec_inspect: return "looks at a program";
        case Operation::exec_read: return "reads what a program prints";
        case Operation::archive_put: return "puts files into " + named(sandbox);
        case Operation::archive_get: return "reads files of " + named(sandbox);
        case Operation::ledger_put: return "writes its ledger";
        case Operation::backoff: return "waits before it tries again";
        case Operation::settle: return "waits before it looks again";
        case Operation::late_wait: return "waits for a sandbox that may come late";
        case Operation::join: return "waits for others' work on the lease";
        case Operation::close: return "waits for its teardowns";
        case Operation::staging: return "prepares the staging";
        case Operation::bootstrap: return "runs the bootstrap";
        case Operation::undo: return "undoes a step";
        case Operation::unstaging: return "cleans the staging up";
        case Operation::job_wait: return "waits before it looks at the job again";
        case Operation::refresh: return "asks for a new token";
        case Operation::guard_step: return "runs a step of a guard";
    }
    return "does something";
}

bool is_wait(Operation operation) {
    switch (operation) {
        case Operation::backoff:
        case Operation::settle:
        case Operation::late_wait:
        case Operation::join:
        case Operation::close:
        case Operation::job_wait: return true;
        default: return false;
    }
}

bool is_told_always(Operation operation) {
    switch (operation) {
        case Operation::backoff:
        case Operation::staging:
        case Operation::bootstrap:
        case Operation::undo:
        case Operation::unstaging: return true;
        default: return false;
    }
}

}  // namespace drydock::reports
