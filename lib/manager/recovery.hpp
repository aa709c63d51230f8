#pragma once

#include "manager/core.hpp"

namespace drydock::detail {

/// Meets every obligation that nothing pursues: tears down what may exist, watches what may land.
awaitable<Result<void>> recover_all(CorePtr core);

}  // namespace drydock::detail
