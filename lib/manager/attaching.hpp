#pragma once

#include "manager/core.hpp"

namespace drydock::detail {

/// A hold on a sandbox that lives here, or that an earlier process left in the ledger.
awaitable<Result<std::shared_ptr<LiveSandbox>>> attach_live(CorePtr core, std::string key_or_id);

}  // namespace drydock::detail
