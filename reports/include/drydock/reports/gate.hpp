#pragma once

#include <drydock/reports/report.hpp>
#include <drydock/scenarios/gate.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace drydock::reports {

/// One run of the gate, and what is told of it beyond the run itself.
struct GateCase {
    scenarios::TestedRun run;
    std::string source{};               ///< of its scenario
    std::vector<std::string> faults{};  ///< the kinds of choices of its plan, each once
    std::vector<std::string> story{};   ///< decisive lines, if it is not as it should be
};

/// A whole gate, for CI systems.
struct GateAccount {
    faults::Verdict verdict = faults::Verdict::pass;
    std::vector<GateCase> corpus{};
    std::vector<GateCase> finds{};  ///< of the random search
    std::uint64_t plans = 0;        ///< that it ran
    std::uint64_t seed = 0;
    Coverage coverage{};
    double seconds = 0;  ///< the only field that may differ between runs
};

/// Runs what is not as it should be once more, to tell its story.
GateAccount account_of(const scenarios::GateReport& gate, const scenarios::GateOptions& options);

/// "./drydock replay --client library --backend docker FILE".
std::string replay_command(const scenarios::TestedRun& run);

/// For CI systems that read JUnit's XML: one suite per part of the gate, one case per run.
std::string junit_xml(const GateAccount& account);

/// For the summary page of a CI job.
std::string markdown(const GateAccount& account);

}  // namespace drydock::reports
