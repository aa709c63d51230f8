#pragma once

#include <drydock/docker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace drydock::test {

/// Answers each exchange with `next` and remembers what was asked.
class ScriptedTransport final : public Transport {
public:
    awaitable<Exchanged> exchange(Tag tag, Request request, Duration limit,
                                  Interrupt interrupt) override {
        last_tag = tag;
        last_request = std::move(request);
        last_limit = limit;
        last_interrupt = interrupt;
        co_return next;
    }

    void answer(int status, std::string body) {
        Response response;
        response.status = status;
        response.body = std::move(body);
        next = std::move(response);
    }
    void fail(TransportFailure failure) { next = failure; }

    Exchanged next{TransportFailure{}};
    Tag last_tag{};
    Request last_request;
    Duration last_limit{};
    Interrupt last_interrupt{};
};

/// Runs a coroutine to its end.
template <class T>
T run(awaitable<T> work) {
    asio::io_context context;
    std::optional<T> result;
    asio::co_spawn(context, std::move(work), [&result](std::exception_ptr failure, T value) {
        if (failure) {
            std::rethrow_exception(failure);
        }
        result.emplace(std::move(value));
    });
    context.run();
    return std::move(*result);
}

inline CallContext context_of(Operation operation) {
    return {{operation, "lease-1"}, std::chrono::seconds(30), Interrupt::allowed};
}

}  // namespace drydock::test
