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

/// For async_pending: no limit.
inline constexpr Duration unlimited = Duration::max();

/// How an async_pending ended. `value` is what the supplier gave if `wake` is done, else T().
template <class T>
struct Settled {
    // Constructors, because g++ 12 copies aggregates in co_await expressions bit by bit.
    Settled() = default;
    Settled(Wake how, T what) : wake(how), value(std::move(what)) {}

    Wake wake = Wake::done;
    T value{};
};

namespace detail {

template <class T>
class PendingOp : public Op {
public:
    using Op::Op;
    T value{};
};

}  // namespace detail

/// The supplier's end of an async_pending. Copyable; the first fulfil wins, and it is a no-op once
/// the operation has ended, was cancelled or died with its process. Must not be used after its
/// World.
template <class T>
class Promise {
public:
    Promise() = default;
    Promise(World& world, Ticket ticket) noexcept : world_(&world), ticket_(ticket) {}

    /// Whether anybody still waits.
    bool wanted() const noexcept { return world_ != nullptr && world_->is_armed(ticket_); }

    /// Ends the operation with Wake::done at this instant, through the ready queue. False if nobody
    /// waited any more.
    bool fulfil(T value) {
        Op* op = world_ == nullptr ? nullptr : world_->claim(ticket_);
        if (op == nullptr) {
            return false;
        }
        static_cast<detail::PendingOp<T>*>(op)->value = std::move(value);
        op->wake = Wake::done;
        world_->make_ready(*op);
        return true;
    }

private:
    World* world_ = nullptr;
    Ticket ticket_;
};

namespace detail {

template <class T, class Handler>
class PendingOpFor final : public PendingOp<T> {
public:
    PendingOpFor(Executor executor, Handler&& handler)
        : PendingOp<T>(&act, &executor.process()), handler_(std::move(handler)) {
        this->lane = executor.lane();
        this->wake = Wake::timed_out;
    }

    Promise<T> arm(Time due, Interrupt interrupt) {
        World& world = this->owner->world();
        const Ticket ticket = world.arm(*this, due);
        connected_ = interrupt == Interrupt::allowed && connect(world, ticket, handler_);
        return Promise<T>(world, ticket);
    }

private:
    static void act(World& world, Op* base, Op::Order order) {
        auto* self = static_cast<PendingOpFor*>(base);
        const Executor home(*self->owner, self->lane);
        Settled<T> settled(self->wake, std::move(self->value));
        const bool connected = self->connected_;
        Handler handler(std::move(self->handler_));
        self->~PendingOpFor();
        world.pool().give(self, sizeof(PendingOpFor));
        if (order == Op::Order::destroy) {
            return;
        }
        if (connected) {
            asio::get_associated_cancellation_slot(handler).clear();
        }
        deliver(home, std::move(handler), std::move(settled));
    }

    Handler handler_;
    bool connected_ = false;
};

template <class T>
class InitiatePending {
public:
    using executor_type = Executor;

    explicit InitiatePending(Executor executor) noexcept : executor_(executor) {}
    Executor get_executor() const noexcept { return executor_; }

    template <class Handler, class Start>
    void operator()(Handler&& handler, Duration limit, Interrupt interrupt, Start start) const {
        using Self = PendingOpFor<T, std::decay_t<Handler>>;
        static_assert(alignof(Self) <= alignof(std::max_align_t));
        World& world = executor_.world();
        auto* op =
            ::new (world.pool().take(sizeof(Self))) Self(executor_, std::forward<Handler>(handler));
        if (!executor_.process().alive()) {
            world.entomb(*op);
            return;
        }
        start(op->arm(world.after(limit), interrupt));
    }

private:
    Executor executor_;
};

}  // namespace detail

/// An operation that somebody else completes. `start(Promise<T>)` is called in the initiation (not
/// at all if the process is dead) and may fulfil at once; the completion still comes through the
/// ready queue. Completes with Settled<T>: done and a value, timed_out when `limit` has passed, or,
/// where `interrupt` allows, cancelled at the instant of a terminal signal. The supplier learns
/// that nobody waits any more from Promise::wanted(). T must be default-constructible and movable.
///
/// In a coroutine, name `start` first and move it in (g++ 12 miscompiles capturing temporaries
/// there).
template <class T, class Start, class Token>
auto async_pending(Executor executor, Duration limit, Interrupt interrupt, Start start,
                   Token&& token) {
    return asio::async_initiate<Token, void(Settled<T>)>(detail::InitiatePending<T>(executor),
                                                         token, limit, interrupt, std::move(start));
}

}  // namespace drydock::sim
