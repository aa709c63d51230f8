#pragma once

#include <drydock/sim/executor.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/dispatch.hpp>

#include <concepts>
#include <utility>

namespace drydock::sim::detail {

template <class AnyExecutor>
bool leads_to(const AnyExecutor& executor, const Process& process) noexcept {
    if constexpr (std::same_as<AnyExecutor, Executor>) {
        return &executor.process() == &process;
    } else if constexpr (std::same_as<AnyExecutor, asio::any_io_executor>) {
        const Executor* found = sim_executor(executor);
        return found != nullptr && &found->process() == &process;
    } else {
        return false;
    }
}

/// Calls a handler from the scheduler. Where its executor is the process that is running anyway, it
/// is called directly: the way through an erased executor costs more than the rest of an event.
template <class Handler, class Value>
void deliver(Executor home, Handler handler, Value value) {
    {
        const auto& executor = asio::get_associated_executor(handler, home);
        if (!leads_to(executor, home.process())) {
            const auto elsewhere = executor;
            asio::dispatch(elsewhere, asio::append(std::move(handler), std::move(value)));
            return;
        }
    }
    std::move(handler)(std::move(value));
}

/// Sits in a handler's cancellation slot. Holds a ticket, not the op: emitting it when the op has
/// ended or died is harmless.
class CancelByTicket {
public:
    CancelByTicket(World& world, Ticket ticket) noexcept : world_(&world), ticket_(ticket) {}

    /// Only terminal cancellation counts.
    void operator()(asio::cancellation_type_t type) const noexcept;

private:
    World* world_;
    Ticket ticket_;
};

/// Lets a terminal signal to the handler end the armed op. True if the handler has a slot for that.
template <class Handler>
bool connect(World& world, Ticket ticket, const Handler& handler) {
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (!slot.is_connected()) {
        return false;
    }
    slot.template emplace<CancelByTicket>(world, ticket);
    return true;
}

}  // namespace drydock::sim::detail
