#pragma once

#include "manager/core.hpp"

namespace drydock::detail {

/// Adds the row to what must be met. Its teardown begins with `pursue`.
ObligationPtr add_obligation(KeyLease& lease, LedgerRecord row);

/// Begins the entry's teardown in the nursery, unless one is under way. It ends when absence is
/// confirmed by id, or at the teardown deadline; then `torn_down` is set, and `may_exist` tells
/// which. What is met leaves the lease's obligations; a create that may still land gets a watch.
void pursue(const CorePtr& core, const std::shared_ptr<KeyLease>& lease,
            const ObligationPtr& obligation);

/// Waits for the teardown under way of the entry. Nothing interrupts it.
awaitable<void> wait_torn_down(CorePtr core, std::string key, ObligationPtr obligation);

/// Error{teardown} with what remains of it: says that the sandbox may be there still.
Error not_torn_down(const LedgerRecord& row);

}  // namespace drydock::detail
