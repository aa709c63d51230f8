#pragma once

#include "runner/actor.hpp"
#include "runner/observed_backend.hpp"

#include <drydock/docker.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/sim/sim_ledger.hpp>
#include <drydock/sim/sim_runtime.hpp>
#include <drydock/sim/sim_transport.hpp>
#include <drydock/sim/simulation.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace drydock::scenarios {

/// One process of a scenario: its actors in the first incarnation, recovery in every later one.
class ProcessRun {
public:
    ProcessRun(sim::Program& program, const ProcessScript& script, const ClientKind& client,
               const Scenario& scenario);
    ~ProcessRun();
    ProcessRun(const ProcessRun&) = delete;
    ProcessRun& operator=(const ProcessRun&) = delete;

    void begin();
    /// Started once more after the faults have stopped, to meet what it owes.
    void recover_finally();
    /// Its actors have ended, and it has closed and exited, or stays because it holds something.
    bool has_settled() const;
    bool has_recovered_finally() const noexcept { return has_recovered_finally_; }
    bool has_obligations() const;
    bool holds_something() const;
    /// What it waits for, if it has not settled.
    std::string waiting() const;

    sim::Program& program() noexcept { return program_; }
    const sim::Program& program() const noexcept { return program_; }
    const Policy& policy() const noexcept { return scenario_.client; }
    ClientUnderTest& client() { return *incarnation_->client; }
    const std::deque<ActorRun>& actors() const noexcept { return actors_; }
    const std::vector<std::string>& defects() const noexcept { return defects_; }

    // For its actors.
    void actor_ended();
    /// An actor gave its hold back: if nobody else has one, the sandbox is held no more.
    void hold_ends(const std::string& key);
    void all_holds_end(const std::string& key);
    void every_hold_ends();
    /// The client may have torn the key's sandbox down by itself.
    void look_after_holds(const std::string& key);

private:
    /// The seams and the client of one incarnation.
    struct Incarnation {
        Incarnation(sim::Program& program, const ClientKind& kind, const Policy& policy);
        ~Incarnation();

        sim::SimRuntime runtime;
        sim::SimTransport transport;
        std::unique_ptr<Backend> adapter;
        ObservedBackend backend;
        std::unique_ptr<sim::SimLedger> ledger;
        std::unique_ptr<ClientUnderTest> client;
    };

    void start_incarnation();
    void close_and_end();
    void recover_and_end(bool wait_late);
    void crashed();
    void end();
    std::uint32_t strike(std::uint32_t lease, std::uint32_t lane, std::string_view actor);

    sim::Program& program_;
    const ClientKind& kind_;
    const Scenario& scenario_;
    std::deque<ActorRun> actors_;
    std::unique_ptr<Incarnation> incarnation_;
    std::vector<std::string> defects_;
    bool is_settled_ = false;
    bool has_recovered_finally_ = false;
};

}  // namespace drydock::scenarios
