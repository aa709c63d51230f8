// Streams: what the model sends goes to the client as it comes, what the client sends to the model.
#include "connection.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <utility>

namespace drydock::serve {

namespace {

using Failure = boost::system::error_code;

constexpr auto completion = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t longest_input = 65536;

}  // namespace

asio::awaitable<bool> Connection::relay(const Exchange& exchange, const Form& form) {
    const Response& head = *exchange.answer();
    const bool is_taken_over = takes_over(head);
    const Framing framing = is_taken_over ? Framing::until_close : early_framing_of(form);
    const std::shared_ptr<LiveStream>& stream = exchange.stream();
    std::string text = head_text(head, form, framing);
    if (is_taken_over) {
        hear_client(stream);
    } else {
        watch_for_client();
    }
    bool is_sent = co_await write(text);
    while (is_sent && !is_client_gone_) {
        const bool is_over = stream->is_over();
        const std::string bytes = stream->take();
        text.clear();
        append_part(text, bytes, framing);
        if (is_over && framing == Framing::chunked) text.append(last_chunk);
        if (!text.empty()) is_sent = co_await write(text);
        if (is_over) break;
        if (text.empty()) [[maybe_unused]]
            const auto woken = co_await wake_.async_wait(completion);
    }
    const bool is_complete = is_sent && stream->is_over();
    if (!is_complete) world_->run([&] { stream->leave(); });
    if (is_taken_over && is_complete) co_await finish_input();
    co_return is_complete;
}

void Connection::hear_client(std::shared_ptr<LiveStream> stream) {
    is_input_open_ = true;
    asio::co_spawn(socket_.get_executor(), read_input(std::move(stream)),
                   [self = shared_from_this()](const std::exception_ptr& failure) {
                       if (failure) std::rethrow_exception(failure);
                       self->is_input_open_ = false;
                       self->wake_.cancel();
                   });
}

asio::awaitable<void> Connection::read_input(std::shared_ptr<LiveStream> stream) {
    Failure failure;
    while (!failure) {
        const std::size_t size = buffer_.size();
        if (size > 0) {
            const std::string bytes(static_cast<const char*>(buffer_.data().data()), size);
            buffer_.consume(size);
            world_->run([&] { stream->input(bytes); });
        }
        const auto space = buffer_.prepare(longest_input);
        const auto [end, length] = co_await socket_.async_read_some(space, completion);
        failure = end;
        buffer_.commit(length);
    }
    if (failure == asio::error::eof) {
        world_->run([&] { stream->end_input(); });
        watch_for_client();
    } else if (failure != asio::error::operation_aborted) {
        is_client_gone_ = true;
    }
}

// Closing a socket with unread input resets it, and the client could lose what it was told.
asio::awaitable<void> Connection::finish_input() {
    Failure ignored;
    socket_.shutdown(Protocol::socket::shutdown_send, ignored);
    wake_.expires_after(longest_discard);
    while (is_input_open_ && !is_client_gone_ &&
           wake_.expiry() > asio::steady_timer::clock_type::now()) {
        [[maybe_unused]] const auto woken = co_await wake_.async_wait(completion);
    }
}

}  // namespace drydock::serve
