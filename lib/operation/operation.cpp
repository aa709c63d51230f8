#include <drydock/operation.hpp>

#include <array>

namespace drydock {

namespace {

constexpr std::array<std::string_view, operation_count> names{
    "container_create",
    "container_start",
    "container_inspect",
    "container_list",
    "container_remove",
    "late_lookup",
    "exec_create",
    "exec_start",
    "exec_inspect",
    "exec_read",
    "archive_put",
    "archive_get",
    "ledger_put",
    "backoff",
    "settle",
    "late_wait",
    "join",
    "close",
    "staging",
    "bootstrap",
    "undo",
    "unstaging",
    "job_wait",
    "refresh",
    "guard_step",
};

}  // namespace

std::string_view name(Operation operation) { return names.at(static_cast<std::size_t>(operation)); }

std::optional<Operation> operation_from_name(std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names.at(i) == name) return static_cast<Operation>(i);
    }
    return std::nullopt;
}

}  // namespace drydock
