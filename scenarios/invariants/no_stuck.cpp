#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

namespace drydock::scenarios {

void check_no_stuck(const Judged& judged, Violations& violations) {
    if (!judged.is_stuck) return;
    const std::string_view bound =
        judged.is_endless ? ", having met the bound on operations and steps of a run" : "";
    violations.push_back(
        {"no_stuck", judged.waiting,
         fmt::format("it had not ended at {}{}: {}", faults::format_time(judged.history.end), bound,
                     judged.waiting),
         judged.history.end});
}

}  // namespace drydock::scenarios
