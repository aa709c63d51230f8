#include <drydock/scenarios/search.hpp>

#include <fmt/format.h>

namespace drydock::scenarios {

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

Scenario capsule_of(const Scenario& scenario, const TestedRun& run) {
    const faults::Outcome& outcome = run.report.outcome;
    Scenario capsule = scenario;
    capsule.backend.kinds = {run.backend};
    capsule.plan = outcome.plan;
    // Steps were expected under another plan, and of other clients nothing is known under this one.
    // What may be held stays, as leaks are judged by it.
    capsule.expect = Expectation{.held = scenario.expectation_on(run.backend).held};
    capsule.expect_by_kind.clear();
    const bool has_violation = !outcome.violations.empty();
    capsule.found = Found{.client = run.client,
                          .invariant = has_violation ? outcome.violations.front().invariant
                                                     : std::string(name(outcome.verdict)),
                          .subject = has_violation ? outcome.violations.front().subject : "run",
                          .digest = digest_text(outcome.digest)};
    return capsule;
}

}  // namespace drydock::scenarios
