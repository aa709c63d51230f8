// What tests of scenarios are made of: the built-in clients and backends, small scenarios, plans.
#pragma once

#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/run.hpp>
#include <drydock/scenarios/scenario.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::test {

/// The built-in one of that name; throws if there is none.
const sim::BackendKind& backend(std::string_view name);
const scenarios::ClientKind& client(std::string_view name);
inline const std::vector<std::string> backend_names{"docker", "daytona"};

/// One process "runner" with one actor "main" that does these steps.
scenarios::Scenario one_actor(std::vector<scenarios::ActorStep> steps);
/// "runner" with the actors "a", "b", ...
scenarios::Scenario actors(std::vector<std::vector<scenarios::ActorStep>> scripts);

/// An entry from its file form: "runner[k]/container_start#1/fate", "status_before(503)".
faults::PlanEntry entry(std::string_view at, std::string_view choose, bool sticky = false);
faults::PlanEntry entry(const faults::SiteName& at, faults::Choice choose);
faults::Plan plan(std::vector<faults::PlanEntry> entries);

using NameSet = std::set<std::string>;
/// The invariants that the run broke.
NameSet broken(const scenarios::RunReport& report);
/// Its violations, defects and unmet expectations, for a failed test.
std::string told(const scenarios::RunReport& report);

/// The library on that scenario, with the plan, and its trace kept.
scenarios::RunReport run_library(const scenarios::Scenario& scenario, const faults::Plan& plan,
                                 std::string_view backend_name = "docker");

/// All suspensions of a run, in order, each as a site of that aspect.
std::vector<faults::SiteName> sites_of(const scenarios::Scenario& scenario,
                                       const scenarios::RunReport& report, faults::Aspect aspect);

/// DRYDOCK_WORK times `count`, at least 1.
std::size_t scaled(std::size_t count);

/// Writes a capsule next to the test executable and returns its path.
std::string write_capsule(const scenarios::Scenario& capsule, std::string_view name);

}  // namespace drydock::test
