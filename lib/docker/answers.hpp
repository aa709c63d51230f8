#pragma once

#include <drydock/backend.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::docker {

// Readers of successful bodies. Nothing where the body is not what the API promises: not JSON, of
// another type, cut short before all we need, or without a field that an owner cannot do without.

std::optional<std::string> read_created_id(std::string_view body);
/// Stops as soon as it has what it needs: what comes after the labels is not looked at.
std::optional<SandboxInfo> read_sandbox(std::string_view body);
std::optional<std::vector<SandboxInfo>> read_sandboxes(std::string_view body);

std::optional<ExecStatus> read_exec(std::string_view body);

/// What an error's body says, fit to be shown: from {"message": ..., "code": ...}, else the body's
/// own beginning. Never throws, never long.
struct Refusal {
    std::string message;
    std::string code;
};
Refusal read_refusal(std::string_view body);

/// The state that a `State.Status` word means.
SandboxState state_of(std::string_view status);

}  // namespace drydock::docker
