#pragma once

#include "manager/core.hpp"

#include <drydock/lease.hpp>

namespace drydock::detail {

/// A hold on the key's live sandbox, made by a flight that all calls for the key share.
awaitable<Result<std::shared_ptr<LiveSandbox>>> acquire_live(CorePtr core, LeaseRequest request);

}  // namespace drydock::detail
