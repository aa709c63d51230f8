#pragma once

#include <drydock/faults/site.hpp>
#include <drydock/operation.hpp>
#include <drydock/sim/process.hpp>
#include <drydock/sim/site_counters.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace drydock::sim {

class Simulation;

/// One client program over all its incarnations: its name, the numbers of its sites, and its
/// present process. What stays when the process crashes stands here.
class Program {
public:
    /// Cancels the public calls that wait for work of this lease: only the one running on `lane`,
    /// if it is not 0, and only the named actor's, if it is not empty. Returns how many it
    /// cancelled.
    using Strike = std::function<std::uint32_t(std::uint32_t lease, std::uint32_t lane,
                                               std::string_view actor)>;

    Program(Simulation& simulation, std::uint8_t id, std::string name);
    ~Program();

    Simulation& simulation() const noexcept { return simulation_; }
    std::uint8_t id() const noexcept { return id_; }
    const std::string& name() const noexcept { return name_; }

    /// Begins the next incarnation. The one before must have crashed or ended.
    Process& start();
    /// Null before the first start.
    Process* process() const noexcept { return process_.get(); }
    bool is_alive() const noexcept { return process_ && process_->alive(); }
    std::uint32_t incarnation() const noexcept { return incarnation_; }

    /// Ends the present incarnation at once: nothing of it runs any more. A crash tells `on_crash`.
    void crash();
    void end();

    /// Numbers the operation's next occurrence and traces its beginning.
    faults::Site begin(Tag tag, std::uint32_t subject = 0);
    /// Numbers a step of a guard in a sandbox of that lease.
    faults::Site begin_guard_step(std::string_view lease);
    void completed(const faults::Site& site, std::uint64_t value, std::uint32_t subject = 0);
    /// It began more operations than SimulationOptions::most_operations.
    bool has_run_away() const noexcept;
    /// The occurrence that completed last. Right after a call through a seam returned, that call's.
    const faults::Site& last_completed() const noexcept { return last_completed_; }

    std::uint32_t lease_id(std::string_view key);

    Strike strike;
    std::function<void()> on_crash;

private:
    void drop(EventKind kind);

    Simulation& simulation_;
    std::uint8_t id_;
    std::string name_;
    SiteCounters counters_;
    std::uint64_t begun_ = 0;
    faults::Site last_completed_;
    std::unique_ptr<Process> process_;
    std::uint32_t incarnation_ = 0;
    // Calls come in runs of one key: the last one spares most look-ups.
    std::string last_key_;
    std::uint32_t last_lease_ = 0;
};

}  // namespace drydock::sim
