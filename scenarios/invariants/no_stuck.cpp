#include "invariants/invariants.hpp"

#include <drydock/faults/duration.hpp>

namespace drydock::scenarios {

void check_no_stuck(const Judged& judged, Violations& violations) {
    if (!judged.is_stuck) return;
    violations.push_back(
        {"no_stuck", judged.waiting,
         "it had not ended at " + faults::format_time(judged.history.end) + ": " + judged.waiting,
         judged.history.end});
}

}  // namespace drydock::scenarios
