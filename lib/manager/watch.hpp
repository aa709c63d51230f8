#pragma once

#include "manager/core.hpp"

namespace drydock::detail {

/// Looks for the row's sandbox every Policy::late_watch until no create of it can land any more,
/// and tears down what it finds. Closes the row when absence is confirmed past the horizon.
void watch(const CorePtr& core, const std::shared_ptr<KeyLease>& lease,
           const ObligationPtr& obligation);

/// Ends all watches and begins no other one: what may still land stays in the ledger. One that is
/// at an exchange or a teardown ends after it.
void stop_watching(Core& core);

}  // namespace drydock::detail
