#pragma once

#include <drydock/docker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace drydock::test {

/// Gives these pieces, then ends: cleanly, or as it is told.
class ScriptedBytes final : public ByteStream {
public:
    ScriptedBytes(std::deque<std::string> pieces, std::optional<TransportFailure> end)
        : pieces_(std::move(pieces)), end_(end) {}

    awaitable<Received> read(Tag, Duration, Interrupt) override {
        if (pieces_.empty() && end_) co_return Received(*end_);
        if (pieces_.empty()) co_return Received(std::string());
        std::string piece = std::move(pieces_.front());
        pieces_.pop_front();
        co_return Received(std::move(piece));
    }

private:
    std::deque<std::string> pieces_;
    std::optional<TransportFailure> end_;
};

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

    awaitable<Opened> open(Tag tag, Request request, Duration limit, Interrupt interrupt) override {
        last_tag = tag;
        last_request = std::move(request);
        last_limit = limit;
        last_interrupt = interrupt;
        if (open_failure) co_return Opened(*open_failure);
        OpenedStream opened;
        opened.head = next.value();
        if (!is_refused) opened.stream = std::make_unique<ScriptedBytes>(pieces, end);
        co_return Opened(std::move(opened));
    }

    void open_stream(int status, std::deque<std::string> given,
                     std::optional<TransportFailure> given_end = {}) {
        answer(status, "");
        pieces = std::move(given);
        end = given_end;
        is_refused = false;
        open_failure.reset();
    }
    void refuse_stream(int status, std::string body) {
        answer(status, std::move(body));
        is_refused = true;
        open_failure.reset();
    }
    void fail_stream(TransportFailure failure) { open_failure = failure; }

    void answer(int status, std::string body) {
        Response response;
        response.status = status;
        response.body = std::move(body);
        next = std::move(response);
    }
    void fail(TransportFailure failure) { next = failure; }

    Exchanged next{TransportFailure{}};
    std::deque<std::string> pieces;  ///< of each stream
    std::optional<TransportFailure> end;
    std::optional<TransportFailure> open_failure;
    bool is_refused = false;
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
