#include "support/scenario_kit.hpp"

#include <drydock/scenarios/reader.hpp>
#include <drydock/sim/backends.hpp>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace drydock::test {

using namespace scenarios;

const sim::BackendKind& backend(std::string_view name) {
    static const sim::BackendRegistry registry = [] {
        sim::BackendRegistry made;
        sim::register_builtin_backends(made);
        return made;
    }();
    const sim::BackendKind* kind = registry.find(name);
    if (kind == nullptr) throw std::invalid_argument("no such backend");
    return *kind;
}

const ClientKind& client(std::string_view name) {
    static const ClientRegistry registry = builtin_clients();
    const ClientKind* kind = registry.find(name);
    if (kind == nullptr) throw std::invalid_argument("no such client");
    return *kind;
}

Scenario actors(std::vector<std::vector<ActorStep>> scripts) {
    Scenario scenario;
    scenario.name = "made";
    scenario.backend.kinds = backend_names;
    ProcessScript process{.name = "runner", .actors = {}};
    char name = 'a';
    for (std::vector<ActorStep>& steps : scripts) {
        process.actors.push_back({std::string(1, name++), std::move(steps)});
    }
    scenario.processes = {std::move(process)};
    return scenario;
}

Scenario one_actor(std::vector<ActorStep> steps) {
    Scenario scenario = actors({std::move(steps)});
    scenario.processes[0].actors[0].name = "main";
    return scenario;
}

faults::PlanEntry entry(std::string_view at, std::string_view choose, bool sticky) {
    const auto site = faults::SiteName::parse(at);
    return {.at = site,
            .choose = faults::choice_from_text(choose, site.aspect, site.operation),
            .sticky = sticky};
}

faults::PlanEntry entry(const faults::SiteName& at, faults::Choice choose) {
    return {.at = at, .choose = std::move(choose), .sticky = false};
}

faults::Plan plan(std::vector<faults::PlanEntry> entries) {
    return faults::Plan(std::move(entries));
}

NameSet broken(const RunReport& report) {
    NameSet names;
    for (const faults::Violation& each : report.outcome.violations)
        names.insert(each.invariant);
    return names;
}

std::string told(const RunReport& report) {
    std::string text = to_json(report.outcome.plan).dump() + "\n";
    for (const faults::Violation& each : report.outcome.violations) {
        text += each.invariant + ": " + each.story + "\n";
    }
    for (const std::string& each : report.defects)
        text += "defect: " + each + "\n";
    for (const std::string& each : report.unmet)
        text += "unmet: " + each + "\n";
    return text;
}

RunReport run_library(const Scenario& scenario, const faults::Plan& plan,
                      std::string_view backend_name) {
    const RunRequest request{.scenario = scenario,
                             .backend = backend(backend_name),
                             .client = client(library_client),
                             .keep_trace = true};
    return run_plan(request, plan, false);
}

std::vector<faults::SiteName> sites_of(const Scenario& scenario, const RunReport& report,
                                       faults::Aspect aspect) {
    const faults::Names names = names_of(scenario);
    std::vector<faults::SiteName> sites;
    for (const sim::Event& event : report.trace) {
        if (event.kind != sim::EventKind::started) continue;
        const faults::Site site{.process = event.process,
                                .lease = event.lease,
                                .operation = static_cast<Operation>(event.operation),
                                .n = event.n,
                                .aspect = aspect};
        sites.push_back(faults::spell_out(site, names));
    }
    return sites;
}

std::size_t scaled(std::size_t count) {
    const char* work = std::getenv("DRYDOCK_WORK");
    const double factor = work == nullptr ? 1.0 : std::atof(work);
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * factor));
}

std::string write_capsule(const Scenario& capsule, std::string_view name) {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::string path = folder / (std::string(name) + ".json");
    std::ofstream(path) << write_scenario(capsule);
    return path;
}

}  // namespace drydock::test
