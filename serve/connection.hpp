#pragma once

#include "exchange.hpp"
#include "http_request.hpp"
#include "live_world.hpp"
#include "socket_file.hpp"
#include "wire_text.hpp"

#include <drydock/serve/server.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace drydock::serve {

inline constexpr std::chrono::milliseconds longest_discard = std::chrono::milliseconds(500);

/// One client: its requests are read and answered one after the other. Lives until it ends.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Protocol::socket socket, std::shared_ptr<LiveWorld> world, Observer observer);

    void start();

private:
    using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

    asio::awaitable<void> run();
    /// False if no further request is to be read.
    asio::awaitable<bool> serve_one();
    asio::awaitable<boost::system::error_code> read(Parser& parser);
    asio::awaitable<boost::system::error_code> read_body(Parser& parser);
    asio::awaitable<void> refuse(Refusal refusal);
    asio::awaitable<void> discard_input();

    asio::awaitable<bool> answer(HttpRequest& request);
    /// Returns when the answer is there or the client is gone. Sends the header if that comes
    /// first.
    asio::awaitable<bool> wait_for_answer(const Exchange& exchange, const Form& form);
    asio::awaitable<bool> write(const std::string& text);

    /// False if the client left before the end.
    asio::awaitable<bool> relay(const Exchange& exchange, const Form& form);
    /// For as long as the connection lasts.
    void hear_client(std::shared_ptr<LiveStream> stream);
    asio::awaitable<void> read_input(std::shared_ptr<LiveStream> stream);
    asio::awaitable<void> finish_input();

    std::shared_ptr<Exchange> begin_exchange(HttpRequest& request);
    void watch_for_client();
    void report(const HttpRequest& request, Served served) const;

    Protocol::socket socket_;
    std::shared_ptr<LiveWorld> world_;
    Observer observer_;
    boost::beast::flat_buffer buffer_;
    asio::steady_timer wake_;  ///< cancelled when there is something to look at
    bool is_watched_ = false;
    bool is_input_open_ = false;  ///< the client of a stream may still send something
    bool is_client_gone_ = false;
};

}  // namespace drydock::serve
