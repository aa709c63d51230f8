#include "invariants/invariants.hpp"

#include <array>

namespace drydock::scenarios {

namespace {

constexpr std::array<Invariant, 11> invariants{{
    {"no_leak", "every sandbox of ours is held, in a flight or in the ledger, and gone at the end",
     check_no_leak},
    {"one_per_lease", "at most one sandbox of a lease exists that is not under removal",
     check_one_per_lease},
    {"owner_teardown", "no living owner left a known sandbox before its teardown deadline",
     check_owner_teardown},
    {"no_wrong_kill", "nothing foreign, held or in flight was removed, no other job was killed",
     check_no_wrong_kill},
    {"no_use_after_release", "after release only removal and its confirmation are sent",
     check_no_use_after_release},
    {"truthful_error", "errors name what failed, and `landed` never contradicts the truth",
     check_truthful_error},
    {"bounded", "attempts and the return of calls keep to the policy, a job's end is soon heard of",
     check_bounded},
    {"no_stuck", "after the faults stop everything ends", check_no_stuck},
    {"stable_key", "all attempts of an acquisition show one idempotency key", check_stable_key},
    {"no_double_run", "no job took effect twice, nor what was written to its stdin",
     check_no_double_run},
    {"no_lost_result", "what is said of a job's end, exit code and output is true",
     check_no_lost_result},
}};

}  // namespace

std::span<const Invariant> all_invariants() { return invariants; }

Violations judge(const Judged& judged) {
    Violations violations;
    for (const Invariant& invariant : invariants)
        invariant.check(judged, violations);
    return violations;
}

}  // namespace drydock::scenarios
