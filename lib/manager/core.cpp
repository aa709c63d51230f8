#include "manager/core.hpp"

#include <algorithm>
#include <utility>

namespace drydock::detail {

void note_given_up(const Core& core, LedgerRecord& row) {
    const WallTime horizon = core.runtime.wall_now() + core.policy.late_horizon;
    row.may_land_until = std::max(row.may_land_until.value_or(horizon), horizon);
}

namespace {

// After a crash nobody knows when a create was given up: the horizon counts from now.
void adopt_orphan(const Core& core, ObligationEntry& entry) {
    LedgerRecord& row = entry.row;
    if (row.orphaned_at) return;
    row.orphaned_at = core.runtime.wall_now();
    const bool may_land = row.state == LedgerRecord::State::intent || row.may_land_until;
    if (may_land) note_given_up(core, row);
    entry.is_unwritten = true;
}

}  // namespace

Core::Core(Runtime& given_runtime, Backend& given_backend, Ledger& given_ledger,
           Policy given_policy)
    : runtime(given_runtime),
      backend(given_backend),
      ledger(given_ledger),
      policy(std::move(given_policy)),
      owner(given_ledger.owner()),
      nursery(given_runtime),
      watches(given_runtime) {
    for (LedgerRecord& row : ledger.records()) {
        const auto lease = find_or_add(row.key);
        lease->last_attempt = std::max(lease->last_attempt, row.attempt);
        lease->last_acquisition = std::max(lease->last_acquisition, row.acquisition);
        if (!row.is_obligation()) continue;
        auto entry = std::make_shared<ObligationEntry>();
        entry->row = std::move(row);
        adopt_orphan(*this, *entry);
        lease->obligations.push_back(std::move(entry));
    }
}

std::shared_ptr<KeyLease> Core::find(std::string_view key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? nullptr : found->second;
}

std::shared_ptr<KeyLease> Core::find_or_add(std::string_view key) {
    auto found = keys.find(key);
    if (found == keys.end()) {
        auto lease = std::make_shared<KeyLease>();
        lease->key = key;
        found = keys.emplace(std::string(key), std::move(lease)).first;
    }
    return found->second;
}

Duration Core::limit_until(Time until) const {
    const Duration left = std::max<Duration>(until - runtime.now(), std::chrono::milliseconds(1));
    return std::min(policy.request_timeout, left);
}

}  // namespace drydock::detail
