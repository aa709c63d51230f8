#pragma once

#include <drydock/sim/backend_model.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace drydock::sim {

/// The kinds that `backend.kind` may name, in order of registration.
class BackendRegistry {
public:
    /// Throws std::invalid_argument if the name is empty or taken.
    void add(BackendKind kind);
    const BackendKind* find(std::string_view name) const noexcept;
    std::span<const BackendKind> kinds() const noexcept { return kinds_; }

private:
    std::vector<BackendKind> kinds_;
};

/// `docker`, `daytona` and `moby-current`.
void register_builtin_backends(BackendRegistry& registry);

}  // namespace drydock::sim
