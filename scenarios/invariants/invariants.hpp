#pragma once

#include <drydock/scenarios/invariant.hpp>

namespace drydock::scenarios {

void check_no_leak(const Judged& judged, Violations& violations);
void check_one_per_lease(const Judged& judged, Violations& violations);
void check_owner_teardown(const Judged& judged, Violations& violations);
void check_no_wrong_kill(const Judged& judged, Violations& violations);
void check_no_use_after_release(const Judged& judged, Violations& violations);
void check_truthful_error(const Judged& judged, Violations& violations);
void check_bounded(const Judged& judged, Violations& violations);
void check_no_stuck(const Judged& judged, Violations& violations);
void check_stable_key(const Judged& judged, Violations& violations);
void check_no_double_run(const Judged& judged, Violations& violations);
void check_no_lost_result(const Judged& judged, Violations& violations);

/// A job whose end could not be confirmed takes its sandbox with it, whoever holds it: whether a
/// removal that began then may have been for that.
bool is_for_a_job(const History& history, const SandboxLife& life, Time at);

/// "sandbox 1 of runner[scan-1] (attempt 1)".
std::string describe(const History& history, const SandboxLife& life);

}  // namespace drydock::scenarios
