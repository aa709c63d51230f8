#include <drydock/sim/simulation.hpp>

#include <algorithm>
#include <utility>

namespace drydock::sim {

Simulation::Simulation(faults::Chooser& chooser, faults::Names& names, const BackendKind& kind,
                       SimulationOptions options, Pool* pool)
    : world_(pool),
      names_(names),
      choices_(chooser),
      capabilities_(kind.capabilities),
      options_(options),
      backend_(kind.make_model(world_)),
      network_(*this) {
    backend_->on_guard_step([this](const SandboxTruth& sandbox) { return at_guard_step(sandbox); });
}

Simulation::~Simulation() = default;

Program& Simulation::add_program(std::string name) {
    const std::uint8_t id = names_.process(name);
    return programs_.emplace_back(*this, id, std::move(name));
}

StepIntervention Simulation::at_guard_step(const SandboxTruth& sandbox) {
    const auto owner =
        std::find_if(programs_.begin(), programs_.end(),
                     [&](const Program& program) { return program.name() == sandbox.owner; });
    if (owner == programs_.end()) return {};
    const faults::Site site = owner->begin_guard_step(sandbox.lease);
    const Made made = choices_.at(site);
    const auto* fault = made.as<faults::StepFault>();
    if (fault == nullptr) return {};
    trace({.kind = EventKind::choice_taken,
           .operation = static_cast<std::uint8_t>(site.operation),
           .process = site.process,
           .lease = site.lease,
           .n = site.n,
           .subject = sandbox.number,
           .value = faults::digest(*made.choice)});
    return {.fault = fault, .struck = &made.facts->step_struck};
}

void Simulation::stop_faults() {
    if (!std::exchange(faults_are_on_, false)) return;
    trace({.kind = EventKind::faults_stopped});
    choices_.stop();
    backend_->stop_faults();
}

}  // namespace drydock::sim
