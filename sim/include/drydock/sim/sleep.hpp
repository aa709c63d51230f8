#pragma once

#include <drydock/runtime.hpp>
#include <drydock/sim/completion.hpp>
#include <drydock/sim/executor.hpp>
#include <drydock/time.hpp>

#include <boost/asio/async_result.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace drydock::sim {

namespace detail {

template <class Handler>
class SleepOp final : public Op {
public:
    SleepOp(Executor executor, Handler&& handler)
        : Op(&act, &executor.process()), handler_(std::move(handler)) {
        lane = executor.lane();
        wake = Wake::done;
    }

    void arm(Time due, Interrupt interrupt) {
        World& world = owner->world();
        const Ticket ticket = world.arm(*this, due);
        connected_ = interrupt == Interrupt::allowed && connect(world, ticket, handler_);
    }

private:
    static void act(World& world, Op* base, Order order) {
        auto* self = static_cast<SleepOp*>(base);
        const Executor home(*self->owner, self->lane);
        const Wake wake = self->wake;
        const bool connected = self->connected_;
        Handler handler(std::move(self->handler_));
        self->~SleepOp();
        world.pool().give(self, sizeof(SleepOp));
        if (order == Order::destroy) {
            return;
        }
        if (connected) {
            asio::get_associated_cancellation_slot(handler).clear();
        }
        deliver(home, std::move(handler), wake);
    }

    Handler handler_;
    bool connected_ = false;
};

class InitiateSleep {
public:
    using executor_type = Executor;

    explicit InitiateSleep(Executor executor) noexcept : executor_(executor) {}
    Executor get_executor() const noexcept { return executor_; }

    template <class Handler>
    void operator()(Handler&& handler, Duration duration, Interrupt interrupt) const {
        using Self = SleepOp<std::decay_t<Handler>>;
        static_assert(alignof(Self) <= alignof(std::max_align_t));
        World& world = executor_.world();
        auto* op =
            ::new (world.pool().take(sizeof(Self))) Self(executor_, std::forward<Handler>(handler));
        if (!executor_.process().alive()) {
            world.entomb(*op);
            return;
        }
        op->arm(world.after(duration), interrupt);
    }

private:
    Executor executor_;
};

}  // namespace detail

/// Completes with Wake::done when `duration` has passed (never inline, also for zero), or, where
/// `interrupt` allows, with Wake::cancelled at the instant at which the handler's cancellation slot
/// gets a terminal signal. It sees signals from its initiation on; an earlier one stands in the
/// coroutine's cancellation state and is the caller's to look at.
template <class Token>
auto async_sleep(Executor executor, Duration duration, Interrupt interrupt, Token&& token) {
    return asio::async_initiate<Token, void(Wake)>(detail::InitiateSleep(executor), token, duration,
                                                   interrupt);
}

}  // namespace drydock::sim
