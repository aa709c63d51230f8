#pragma once

#include <drydock/sim/process.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace drydock::sim {

/// What Asio code carries around: runs things in a Process of a World. The lane tells flows of one
/// process apart; it has no effect on order. `dispatch` runs inline only where that very process is
/// running already; everything else goes through the ready queue, first in first out.
class Executor {
public:
    Executor(Process& process, std::uint32_t lane) noexcept : process_(&process), lane_(lane) {}

    Process& process() const noexcept { return *process_; }
    World& world() const noexcept { return process_->world(); }
    std::uint32_t lane() const noexcept { return lane_; }

    asio::execution_context& query(asio::execution::context_t) const noexcept { return *process_; }
    static constexpr asio::execution::mapping_t query(asio::execution::mapping_t) noexcept {
        return asio::execution::mapping.thread;
    }
    asio::execution::blocking_t query(asio::execution::blocking_t) const noexcept {
        return never_inline_ ? asio::execution::blocking_t(asio::execution::blocking.never)
                             : asio::execution::blocking_t(asio::execution::blocking.possibly);
    }
    Executor require(asio::execution::blocking_t::never_t) const noexcept {
        return with_never_inline(true);
    }
    Executor require(asio::execution::blocking_t::possibly_t) const noexcept {
        return with_never_inline(false);
    }

    bool operator==(const Executor&) const noexcept = default;

    /// True if a function for this process may run right here.
    bool may_run_inline() const noexcept {
        return world().current() == process_ && process_->alive();
    }

    template <class F>
    void execute(F&& f) const;

private:
    Executor with_never_inline(bool never_inline) const noexcept {
        Executor other = *this;
        other.never_inline_ = never_inline;
        return other;
    }
    /// Ready if the process lives, else destroyed.
    void submit(Op& op) const;

    Process* process_;
    std::uint32_t lane_;
    bool never_inline_ = false;
};

/// The simulation's executor inside a type-erased one, or null if it is another kind.
inline const Executor* sim_executor(const asio::any_io_executor& executor) noexcept {
    return executor.target<Executor>();
}

namespace detail {

template <class F>
class FunctionOp final : public Op {
public:
    // A template, because Asio hands over lvalues of its own function types too.
    template <class G>
    FunctionOp(Process& process, G&& g) : Op(&act, &process), f_(std::forward<G>(g)) {}

private:
    static void act(World& world, Op* base, Order order) {
        auto* self = static_cast<FunctionOp*>(base);
        F f(std::move(self->f_));
        self->~FunctionOp();
        world.pool().give(self, sizeof(FunctionOp));
        if (order == Order::run) {
            std::move(f)();
        }
    }

    F f_;
};

}  // namespace detail

template <class F>
void Executor::execute(F&& f) const {
    using Function = std::decay_t<F>;
    if (!never_inline_ && may_run_inline()) {
        Function function(std::forward<F>(f));
        std::move(function)();
        return;
    }
    using Self = detail::FunctionOp<Function>;
    static_assert(alignof(Self) <= alignof(std::max_align_t));
    auto* op = ::new (world().pool().take(sizeof(Self))) Self(*process_, std::forward<F>(f));
    op->lane = lane_;
    submit(*op);
}

inline Executor Process::get_executor(std::uint32_t lane) noexcept { return Executor(*this, lane); }

}  // namespace drydock::sim
