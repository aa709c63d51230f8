#pragma once

#include <drydock/runtime.hpp>
#include <drydock/sim/pending.hpp>

#include <utility>
#include <variant>
#include <vector>

namespace drydock::sim {

/// drydock::Event in a World. Waiters wake through the ready queue in the order in which they came.
/// Waiters may end or die first; an event that is destroyed unset leaves its waiters to their
/// limits.
class SimEvent final : public drydock::Event {
public:
    using Woken = std::monostate;

    void set() override;
    bool is_set() const noexcept override { return set_; }

    /// Adds a waiter; wakes it at once (through the ready queue) if the event is set already.
    void enlist(Promise<Woken> waiter);

    /// Completes with Settled<Woken>; the event must exist when the operation starts.
    template <class Token>
    auto async_wait(Executor executor, Duration limit, Interrupt interrupt, Token&& token) {
        return async_pending<Woken>(executor, limit, interrupt, Enlist(*this),
                                    std::forward<Token>(token));
    }

private:
    class Enlist {
    public:
        explicit Enlist(SimEvent& event) noexcept : event_(&event) {}
        void operator()(Promise<Woken> waiter) const { event_->enlist(waiter); }

    private:
        SimEvent* event_;
    };

    std::vector<Promise<Woken>> waiters_;
    bool set_ = false;
};

}  // namespace drydock::sim
