#include <drydock/sim/simulation.hpp>

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
      network_(*this) {}

Simulation::~Simulation() = default;

Program& Simulation::add_program(std::string name) {
    const std::uint8_t id = names_.process(name);
    return programs_.emplace_back(*this, id, std::move(name));
}

void Simulation::stop_faults() {
    if (!std::exchange(faults_are_on_, false)) return;
    trace({.kind = EventKind::faults_stopped});
    choices_.stop();
    backend_->stop_faults();
}

}  // namespace drydock::sim
