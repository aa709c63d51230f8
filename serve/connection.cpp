#include "connection.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

#include <chrono>
#include <exception>
#include <utility>

namespace drydock::serve {

namespace {

namespace http = boost::beast::http;
using Clock = std::chrono::steady_clock;
using Failure = boost::system::error_code;

constexpr auto completion = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t usual_request = 4096;

// As the recorded engine's router says it, also for a method that a route does not have.
Response page_not_found() {
    return {404, {{"Content-Type", "application/json"}}, "{\"message\":\"page not found\"}\n"};
}

Response defect(const std::exception& error) {
    return {500, {}, std::string("drydock: a defect: ") + error.what() + "\n"};
}

}  // namespace

Connection::Connection(Protocol::socket socket, std::shared_ptr<LiveWorld> world, Observer observer)
    : socket_(std::move(socket)),
      world_(std::move(world)),
      observer_(std::move(observer)),
      wake_(socket_.get_executor(), Clock::time_point::max()) {
    buffer_.reserve(usual_request);
}

void Connection::start() {
    asio::co_spawn(socket_.get_executor(), run(),
                   [self = shared_from_this()](const std::exception_ptr& failure) {
                       if (failure) std::rethrow_exception(failure);
                   });
}

asio::awaitable<void> Connection::run() {
    bool goes_on = true;
    while (goes_on) {
        goes_on = co_await serve_one();
    }
    Failure ignored;
    socket_.close(ignored);
}

asio::awaitable<bool> Connection::serve_one() {
    Parser parser;
    parser.header_limit(longest_header);
    parser.body_limit(longest_body);
    Failure failure = co_await read(parser);
    std::optional<Refusal> refusal = why_unreadable(failure);
    if (!failure) refusal = why_refused(parser.get(), parser.chunked());
    if (!failure && !refusal) {
        failure = co_await read_body(parser);
        refusal = why_unreadable(failure);
    }
    if (refusal) co_await refuse(*refusal);
    if (failure || refusal) co_return false;
    HttpRequest request = parser.release();
    const bool goes_on = co_await answer(request);
    co_return goes_on;
}

/// The header only.
asio::awaitable<Failure> Connection::read(Parser& parser) {
    const auto [failure, bytes] =
        co_await http::async_read_header(socket_, buffer_, parser, completion);
    co_return failure;
}

asio::awaitable<Failure> Connection::read_body(Parser& parser) {
    Failure none;
    if (parser.is_done()) co_return none;
    if (expects_continue(parser.get())) {
        const std::string text = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await write(text);  // if it fails, so does the read
    }
    const auto [failure, bytes] = co_await http::async_read(socket_, buffer_, parser, completion);
    co_return failure;
}

asio::awaitable<void> Connection::refuse(Refusal refusal) {
    const std::string text = refusal_text(refusal.status, refusal.reason, refusal.detail);
    const bool is_written = co_await write(text);
    if (observer_) observer_({.status = refusal.status, .is_delivered = is_written});
    if (is_written) co_await discard_input();
}

// Closing a socket with unread input resets it, and the client could lose what it was told.
asio::awaitable<void> Connection::discard_input() {
    Failure failure;
    socket_.shutdown(Protocol::socket::shutdown_send, failure);
    wake_.expires_after(longest_discard);
    wake_.async_wait([self = shared_from_this()](Failure cancelled) {
        Failure ignored;
        if (!cancelled) self->socket_.close(ignored);
    });
    while (!failure) {
        buffer_.clear();
        const auto space = buffer_.prepare(usual_request);
        const auto [end, bytes] = co_await socket_.async_read_some(space, completion);
        failure = end;
    }
    wake_.cancel();
}

asio::awaitable<bool> Connection::answer(HttpRequest& request) {
    const Clock::time_point begin = Clock::now();
    const std::string date = http_date_now();
    const Form form{.is_head = request.method() == http::verb::head,
                    .is_http_1_0 = request.version() < 11,
                    .keeps_alive = request.keep_alive(),
                    .date = date};
    const std::shared_ptr<Exchange> exchange = begin_exchange(request);
    const bool is_begun = co_await wait_for_answer(*exchange, form);
    if (!exchange->answer()) {
        report(request, {.took = Clock::now() - begin, .is_delivered = false});
        co_return false;
    }
    const Response& answer = *exchange->answer();
    if (exchange->stream()) {
        const bool is_whole = co_await relay(*exchange, form);
        report(request,
               {.status = answer.status, .took = Clock::now() - begin, .is_delivered = is_whole});
        if (!is_whole || takes_over(answer)) co_return false;
        co_return keeps_alive(form, early_framing_of(form));
    }
    const Framing framing = exchange->head() ? early_framing_of(form) : framing_of(answer, form);
    std::string text;
    if (!is_begun) text = head_text(answer, form, framing);
    if (!form.is_head) append_body(text, answer.body, framing);
    const bool is_written = co_await write(text);
    report(request,
           {.status = answer.status, .took = Clock::now() - begin, .is_delivered = is_written});
    if (!is_written) co_return false;
    co_return keeps_alive(form, framing);
}

asio::awaitable<bool> Connection::wait_for_answer(const Exchange& exchange, const Form& form) {
    bool is_begun = false;
    while (!exchange.answer() && !is_client_gone_) {
        if (exchange.head() && !is_begun) {
            const std::string text = head_text(*exchange.head(), form, early_framing_of(form));
            is_begun = co_await write(text);
            is_client_gone_ = !is_begun;
            continue;
        }
        watch_for_client();
        [[maybe_unused]] const auto woken = co_await wake_.async_wait(completion);
    }
    co_return is_begun;
}

asio::awaitable<bool> Connection::write(const std::string& text) {
    const auto bytes = asio::buffer(text);
    const auto [failure, written] = co_await asio::async_write(socket_, bytes, completion);
    co_return !failure;
}

std::shared_ptr<Exchange> Connection::begin_exchange(HttpRequest& request) {
    const auto exchange = std::make_shared<Exchange>();
    exchange->on_change = [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->wake_.cancel();
    };
    const std::optional<Method> method = method_of(request);
    if (!method) {
        exchange->reply(page_not_found());
        return exchange;
    }
    const Request asked{.method = *method,
                        .target = std::string(target_of(request)),
                        .content_type = request[http::field::content_type],
                        .body = std::move(request.body()),
                        .asks_upgrade = request.count(http::field::upgrade) > 0};
    try {
        world_->handle(asked, exchange);
    } catch (const std::exception& error) {
        // One request that the model cannot bear must not end the service for all.
        exchange->reply(defect(error));
    }
    return exchange;
}

// A client that has only closed its writing side still waits for its answer: that is not an error
// of the socket, but a client that has closed it is.
void Connection::watch_for_client() {
    if (is_watched_) return;
    is_watched_ = true;
    socket_.async_wait(Protocol::socket::wait_error, [weak = weak_from_this()](Failure) {
        const auto self = weak.lock();
        if (!self) return;
        self->is_client_gone_ = true;
        self->wake_.cancel();
    });
}

void Connection::report(const HttpRequest& request, Served served) const {
    served.method = request.method_string();
    served.target = request.target();
    if (observer_) observer_(served);
}

}  // namespace drydock::serve
