#pragma once

#include <drydock/faults/outcome.hpp>
#include <drydock/scenarios/gate.hpp>
#include <drydock/scenarios/search.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace drydock::reports {

/// What choices a search made.
struct Coverage {
    std::uint64_t void_runs = 0;
    std::uint64_t inert_choices = 0;
    std::uint64_t dismissed = 0;
    std::uint64_t rechecked = 0;
    std::map<std::string, std::uint64_t, std::less<>> choices_by_kind{};
};

/// What one command found out: told as text or as drydock.outcome/1.
struct Report {
    faults::Verdict verdict = faults::Verdict::pass;
    std::uint64_t runs = 0;
    std::vector<scenarios::TestedRun> results{};  ///< of a search: those that broke something
    std::optional<Coverage> coverage{};           ///< of a search
    std::optional<bool> is_closure_complete{};    ///< of a search
    double seconds = 0;                           ///< the only field that may differ between runs
};

/// The verdict that decides the exit code: nondeterministic, violation, expectation, void, pass.
faults::Verdict worse(faults::Verdict a, faults::Verdict b);

void add(Report& report, scenarios::TestedRun run);
void add(Report& report, scenarios::SearchReport search);
Report report_of(scenarios::GateReport gate);

/// One drydock.outcome/1 document with a line's end.
std::string outcome_json(const Report& report);

}  // namespace drydock::reports
