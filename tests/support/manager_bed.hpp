// The library's manager in a simulated world, driven call by call.
#pragma once

#include <drydock/docker.hpp>
#include <drydock/faults/plan_chooser.hpp>
#include <drydock/lease.hpp>
#include <drydock/sim/sim_ledger.hpp>
#include <drydock/sim/sim_runtime.hpp>
#include <drydock/sim/sim_transport.hpp>
#include <drydock/sim/simulation.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::test {

/// One entry of a bed's plan: "runner[k]/container_start#1/fate", "status_before(503)".
struct Fault {
    std::string at;
    std::string choose;
    bool sticky = false;
};

struct BedOptions {
    std::string backend = "docker";
    std::vector<Fault> plan{};
    Policy policy{};
    /// Puts something between the adapter and the manager; null: nothing.
    std::function<std::unique_ptr<Backend>(Backend&, Runtime&)> between{};
};

/// A call under way, or ended.
template <class T>
struct Pending {
    std::optional<Result<T>> result{};
    /// The caller's own record of a cancellation, read right after the call returned.
    asio::cancellation_type record = asio::cancellation_type::none;
    Time ended{};
    asio::cancellation_signal signal{};

    bool has_ended() const noexcept { return result.has_value(); }
    bool succeeded() const noexcept { return result && result->has_value(); }
    /// Only after it failed.
    Error error() const { return result->error(); }
    ErrorKind kind() const { return error().kind(); }
    auto& value() { return **result; }
};
template <class T>
using PendingPtr = std::shared_ptr<Pending<T>>;

/// One program, `runner`, with one manager per incarnation, against a simulated backend.
class ManagerBed {
public:
    explicit ManagerBed(BedOptions options = {});
    ManagerBed(const ManagerBed&) = delete;
    ManagerBed& operator=(const ManagerBed&) = delete;
    ~ManagerBed();

    SandboxManager& manager();
    sim::Simulation& simulation() noexcept { return simulation_; }
    sim::Process& process() { return *program_.process(); }
    Time now() { return simulation_.world().now(); }

    /// Begins the call as a coroutine of its own in the program.
    template <class T>
    PendingPtr<T> begin(awaitable<Result<T>> call);
    /// The same, and lets the world run until it has ended. What it holds leaves the world running.
    template <class T>
    Result<T> run(awaitable<Result<T>> call);
    PendingPtr<Lease> begin_acquire(std::string key);
    Result<Lease> acquire(std::string key);

    /// Cancels the call from inside the program, as a real one is cancelled from its own thread.
    template <class T>
    void cancel(const PendingPtr<T>& call);

    /// Lets everything happen that is due within that time.
    void pass(Duration duration);
    /// True if the condition came true before nothing was left to run.
    bool run_until(const std::function<bool()>& done);

    void crash();
    /// Begins the next incarnation after a crash.
    void restart();
    /// Ends the manager's life while its program lives. Returns what it reported of itself.
    std::vector<std::string> destroy_manager();
    const std::vector<std::string>& defects() const;

    std::vector<sim::SandboxTruth> sandboxes();
    std::size_t living();
    std::vector<LedgerRecord> open_rows();
    /// How often the program began that operation.
    std::size_t count(Operation operation);

private:
    struct Incarnation;

    faults::Names names_;
    faults::PlanChooser chooser_;
    sim::Simulation simulation_;
    sim::Program& program_;
    Policy policy_;
    std::function<std::unique_ptr<Backend>(Backend&, Runtime&)> between_;
    std::unique_ptr<Incarnation> incarnation_;
};

/// A request for that key, of an image that every simulated backend has.
LeaseRequest request_for(std::string key);

}  // namespace drydock::test

#include "support/manager_bed_impl.hpp"
