#pragma once

#include <drydock/scenarios/client.hpp>

namespace drydock::scenarios {

ClientKind library();

}  // namespace drydock::scenarios
