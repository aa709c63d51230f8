#pragma once

#include <drydock/sim/op.hpp>
#include <drydock/sim/pool.hpp>
#include <drydock/sim/timer_heap.hpp>
#include <drydock/sim/trace.hpp>
#include <drydock/time.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace drydock::sim {

class Callback;

/// One simulated run: virtual time, the ready queue and the timers. Single-threaded; time starts at
/// Time{} and moves only when nothing is ready. Everything ready at an instant runs before any
/// further timer, even one that is due at once; equal deadlines fire in the order of arming.
///
/// Processes live inside a World and must be destroyed before it. What the world itself owns (its
/// callbacks) is destroyed with it, so those must not hold handlers of processes, only Promises.
class World {
public:
    /// Without a pool the world brings its own.
    explicit World(Pool* shared = nullptr);
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    Time now() const noexcept { return now_; }

    /// Runs until nothing is ready and no timer is armed, or until stop(). Returns the steps taken.
    /// What waits without a limit does not keep a run going: see pending().
    std::uint64_t run();
    /// Runs whatever is due up to and including `limit`, then stands at `limit` (unless stopped).
    std::uint64_t run_until(Time limit);
    /// Runs until `done()`, asked before each step. False: nothing was left to run, or stop().
    template <std::predicate Done>
    bool run_until(Done done) {
        const auto ask = [](void* what) -> bool { return (*static_cast<Done*>(what))(); };
        return run_until_true(ask, &done);
    }
    /// Runs one handler. False if there was none. Not from inside a handler.
    bool step();
    /// Makes the run in progress return after the handler that is running now.
    void stop() noexcept { stopped_ = true; }

    /// Handlers run so far.
    std::uint64_t steps() const noexcept { return steps_; }
    /// True when step() would find nothing.
    bool idle() const noexcept;
    /// Ops that are ready or armed (limited or not): of one process, or of the world itself.
    std::size_t pending(const Process& process) const noexcept { return count(&process); }
    std::size_t pending() const noexcept { return count(nullptr); }

    Trace& trace() noexcept { return trace_; }
    Pool& pool() noexcept { return pool_; }

    /// Calls `f()` once at `due` (at once if that has passed), never inline. The first two survive
    /// every crash (engines, networks); the others belong to a process and die with it (at once, if
    /// it is dead already).
    template <std::invocable F>
    Callback call_at(Time due, F f);
    template <std::invocable F>
    Callback call_after(Duration delay, F f);
    template <std::invocable F>
    Callback call_at(Process& process, Time due, F f);
    template <std::invocable F>
    Callback call_after(Process& process, Duration delay, F f);

    // What follows is for the kernel's own operations.

    /// The process whose handler is running, if any.
    Process* current() const noexcept { return current_; }
    /// `now() + delay`, or Time::max() (which never comes) where that overflows.
    Time after(Duration delay) const noexcept {
        return delay > Time::max() - now_ ? Time::max() : now_ + delay;
    }
    /// A deadline in the past fires at once, but through the heap.
    Ticket arm(Op& op, Time due) { return timers_.push(op, due < now_ ? now_ : due); }
    bool is_armed(Ticket ticket) const noexcept { return timers_.find(ticket) != nullptr; }
    /// Disarms the ticket's op and hands it over, or null if it is not armed any more.
    Op* claim(Ticket ticket) noexcept;
    void make_ready(Op& op) noexcept { ready_.push(op); }
    /// Destroys the op, unrun, when control is back in the scheduler.
    void entomb(Op& op);

private:
    friend class Process;
    class Running;

    bool run_until_true(bool (*ask)(void* what), void* what);
    Op* next_op() noexcept;
    void run_one(Op& op);
    void drop_all_of(const Process* owner) noexcept;
    void crashed(Process& process);
    void bury();
    std::size_t count(const Process* owner) const noexcept;

    std::optional<Pool> own_pool_;
    Pool& pool_;
    Time now_{};
    OpQueue ready_;
    TimerHeap timers_;
    Process* current_ = nullptr;
    std::uint64_t steps_ = 0;
    bool running_ = false;
    bool burying_ = false;
    bool stopped_ = false;
    OpQueue graveyard_;
    Process* dying_ = nullptr;
    std::uint32_t process_count_ = 0;
    Trace trace_;
};

}  // namespace drydock::sim

#include <drydock/sim/callback.hpp>
