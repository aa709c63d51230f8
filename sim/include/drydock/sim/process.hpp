#pragma once

#include <drydock/sim/world.hpp>

#include <boost/asio/execution_context.hpp>

#include <cstdint>
#include <string>

namespace drydock::sim {

namespace asio = boost::asio;

class Executor;

/// One operating-system process of the simulated world, as far as crashes go: an Asio execution
/// context of its own, so that services made through its executors (channels) die with it.
class Process : public asio::execution_context {
public:
    using executor_type = Executor;

    Process(World& world, std::uint8_t id, std::string name);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    /// Ends it as crash() does. Not from inside one of its own handlers.
    ~Process();

    World& world() const noexcept { return world_; }
    std::uint8_t id() const noexcept { return id_; }
    const std::string& name() const noexcept { return name_; }
    bool alive() const noexcept { return alive_; }
    Executor get_executor(std::uint32_t lane = 0) noexcept;

    /// No continuation of this process runs ever again: its ready and armed ops, the coroutines
    /// that they hold, and what its Asio services hold are destroyed as soon as control is back in
    /// the scheduler. So it may be called from anywhere, also from the process's own handlers; such
    /// a handler still runs up to its next suspension, and destructors run: a seam that reaches
    /// into the world asks alive() first.
    void crash();

private:
    friend class World;

    World& world_;
    Process* next_dying_ = nullptr;
    std::string name_;
    std::uint8_t id_;
    bool alive_ = true;
};

}  // namespace drydock::sim

#include <drydock/sim/executor.hpp>
