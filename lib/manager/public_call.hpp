#pragma once

#include <drydock/runtime.hpp>

#include <boost/asio/this_coro.hpp>

#include <utility>

namespace drydock::detail {

/// Every public call runs so: cancellation is a value inside it, and the caller finds its own
/// coroutine as it left it, with its record of the cancellation.
template <class T>
awaitable<T> public_call(awaitable<T> body) {
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    T result = co_await std::move(body);
    co_await asio::this_coro::throw_if_cancelled(throws);
    co_return result;
}

}  // namespace drydock::detail
