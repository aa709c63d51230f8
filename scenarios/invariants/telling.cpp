#include "invariants/invariants.hpp"

#include <fmt/format.h>

namespace drydock::scenarios {

std::string describe(const History& history, const SandboxLife& life) {
    return fmt::format("sandbox {} of {} (attempt {})", life.truth->number,
                       history.lease_name(life.process, life.lease), life.truth->attempt);
}

}  // namespace drydock::scenarios
