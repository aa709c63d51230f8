#include "invariants/invariants.hpp"

#include <algorithm>

namespace drydock::scenarios {

bool is_for_a_job(const History& history, const SandboxLife& life, Time at) {
    return std::any_of(history.calls.begin(), history.calls.end(), [&](const Call& call) {
        const bool gives_up = !call.has_returned || call.error == ErrorKind::deadline;
        const bool is_of_job = call.kind == CallKind::run || call.kind == CallKind::wait;
        return is_of_job && gives_up && call.process == life.process && call.lease == life.lease &&
               call.span.from <= at && at <= call.span.to;
    });
}

}  // namespace drydock::scenarios
