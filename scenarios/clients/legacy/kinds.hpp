#pragma once

#include <drydock/scenarios/client.hpp>

namespace drydock::scenarios {

ClientKind strix_768();
ClientKind strix_830();
ClientKind strix_831_unshielded();
ClientKind strix_831_detached();
ClientKind floci_2707();
ClientKind failed_probe();
ClientKind remove_conflict();

}  // namespace drydock::scenarios
