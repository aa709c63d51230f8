#pragma once

#include <drydock/faults/chooser.hpp>
#include <drydock/faults/site.hpp>
#include <drydock/memory_ledger.hpp>
#include <drydock/sim/backend_model.hpp>
#include <drydock/sim/choices.hpp>
#include <drydock/sim/network.hpp>
#include <drydock/sim/program.hpp>
#include <drydock/sim/world.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace drydock::sim {

struct SimulationOptions {
    Duration uplink = std::chrono::milliseconds(1);    ///< from a send to its arrival
    Duration downlink = std::chrono::milliseconds(1);  ///< from an answer to its delivery
    Duration ledger_write = std::chrono::microseconds(100);
    /// A late request lands before it, counted from when the client gave it up.
    Duration late_horizon = std::chrono::minutes(10);
    /// A program that begins more is in a loop, which may not even come back to the scheduler; it
    /// is stopped at its next suspension.
    std::uint64_t most_operations = 250'000;
};

/// One run's world with everything in it that outlives a client: the network, the backend, the
/// ledger's store, the choices. Programs and their seams are made on top.
class Simulation {
public:
    Simulation(faults::Chooser& chooser, faults::Names& names, const BackendKind& kind,
               SimulationOptions options, Pool* pool = nullptr);
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;
    ~Simulation();

    World& world() noexcept { return world_; }
    faults::Names& names() noexcept { return names_; }
    Choices& choices() noexcept { return choices_; }
    BackendModel& backend() noexcept { return *backend_; }
    const Capabilities& capabilities() const noexcept { return capabilities_; }
    Network& network() noexcept { return network_; }
    MemoryLedgerStore& ledger_store() noexcept { return ledger_store_; }
    const SimulationOptions& options() const noexcept { return options_; }
    std::deque<Program>& programs() noexcept { return programs_; }

    Program& add_program(std::string name);

    /// From here on every choice is the default, and engine traits end.
    void stop_faults();
    bool faults_are_on() const noexcept { return faults_are_on_; }

    /// What the plan does to a guard in that sandbox; its site is of the program that owns it.
    StepIntervention at_guard_step(const SandboxTruth& sandbox);

    void trace(Event event) {
        event.at = world_.now();
        world_.trace().add(event);
    }

private:
    World world_;
    faults::Names& names_;
    Choices choices_;
    Capabilities capabilities_;
    SimulationOptions options_;
    std::unique_ptr<BackendModel> backend_;
    Network network_;
    MemoryLedgerStore ledger_store_;
    std::deque<Program> programs_;
    bool faults_are_on_ = true;
};

}  // namespace drydock::sim
