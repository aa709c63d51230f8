// The templates of manager_bed.hpp.
#pragma once

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace drydock::test {

/// A caller that looks at its own state after its call, as code that goes on would.
template <class T>
awaitable<void> as_caller(ManagerBed& bed, awaitable<Result<T>> call, PendingPtr<T> pending) {
    co_await asio::this_coro::throw_if_cancelled(false);
    Result<T> result = co_await std::move(call);
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    pending->record = state.cancelled();
    pending->ended = bed.now();
    pending->result.emplace(std::move(result));
}

template <class T>
PendingPtr<T> ManagerBed::begin(awaitable<Result<T>> call) {
    auto pending = std::make_shared<Pending<T>>();
    asio::co_spawn(process().get_executor(), as_caller(*this, std::move(call), pending),
                   asio::bind_cancellation_slot(pending->signal.slot(),
                                                [pending](const std::exception_ptr& thrown) {
                                                    if (thrown) std::rethrow_exception(thrown);
                                                }));
    return pending;
}

template <class T>
Result<T> ManagerBed::run(awaitable<Result<T>> call) {
    const PendingPtr<T> pending = begin(std::move(call));
    run_until([&] { return pending->has_ended(); });
    if (pending->has_ended()) return std::move(*pending->result);
    return Error({.kind = ErrorKind::internal, .message = "the call never ended"});
}

template <class T>
void ManagerBed::cancel(const PendingPtr<T>& call) {
    simulation_.world().call_after(process(), Duration::zero(), [call] {
        call->signal.emit(asio::cancellation_type::terminal);
    });
}

}  // namespace drydock::test
