#pragma once

#include <drydock/sim/world.hpp>

#include <new>
#include <utility>

namespace drydock::sim {

/// Handle of a callback that World::call_at armed. Copyable, may be dropped; must not be used after
/// its World is gone.
class Callback {
public:
    Callback() = default;
    Callback(World& world, Ticket ticket) noexcept : world_(&world), ticket_(ticket) {}

    /// True until it fires, is cancelled or dies with its process.
    bool pending() const noexcept { return world_ != nullptr && world_->is_armed(ticket_); }

    /// Destroys the callback unrun. False if it was not pending any more.
    bool cancel() {
        Op* op = world_ == nullptr ? nullptr : world_->claim(ticket_);
        if (op == nullptr) {
            return false;
        }
        op->function(*world_, op, Op::Order::destroy);
        return true;
    }

private:
    World* world_ = nullptr;
    Ticket ticket_;
};

namespace detail {

template <class F>
class CallbackOp final : public Op {
public:
    CallbackOp(Process* whose, F f) : Op(&act, whose), f_(std::move(f)) {}

private:
    static void act(World& world, Op* base, Order order) {
        auto* self = static_cast<CallbackOp*>(base);
        F f(std::move(self->f_));
        self->~CallbackOp();
        world.pool().give(self, sizeof(CallbackOp));
        if (order == Order::run) {
            f();
        }
    }

    F f_;
};

bool is_alive(const Process& process) noexcept;

template <class F>
Callback arm_callback(World& world, Process* owner, Time due, F f) {
    using Self = CallbackOp<F>;
    static_assert(alignof(Self) <= alignof(std::max_align_t));
    auto* op = ::new (world.pool().take(sizeof(Self))) Self(owner, std::move(f));
    return Callback(world, world.arm(*op, due));
}

}  // namespace detail

template <std::invocable F>
Callback World::call_at(Time due, F f) {
    return detail::arm_callback(*this, nullptr, due, std::move(f));
}

template <std::invocable F>
Callback World::call_after(Duration delay, F f) {
    return detail::arm_callback(*this, nullptr, after(delay), std::move(f));
}

template <std::invocable F>
Callback World::call_at(Process& process, Time due, F f) {
    if (!detail::is_alive(process)) {
        return Callback();
    }
    return detail::arm_callback(*this, &process, due, std::move(f));
}

template <std::invocable F>
Callback World::call_after(Process& process, Duration delay, F f) {
    return call_at(process, after(delay), std::move(f));
}

}  // namespace drydock::sim
