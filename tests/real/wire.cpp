#include "wire.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <stdexcept>
#include <utility>

namespace drydock::real {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds header_limit(30);

http::request<http::string_body> message_of(const Request& request) {
    http::request<http::string_body> message;
    message.version(11);
    message.method_string(request.method);
    message.target(request.target);
    message.set(http::field::host, "docker");
    if (!request.body.empty()) {
        message.set(http::field::content_type, "application/json");
        message.body() = request.body;
    }
    message.prepare_payload();
    return message;
}

}  // namespace

struct Exchange::Connection {
    asio::io_context context{1};
    beast::basic_stream<asio::local::stream_protocol> stream{context};
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> answer;

    /// Waits for one asynchronous operation: only those have a time limit.
    template <typename Start>
    error_code wait(std::chrono::milliseconds limit, Start start) {
        error_code result;
        stream.expires_after(limit);
        start([&result](error_code error, auto...) { result = error; });
        context.restart();
        context.run();
        return result;
    }
};

Exchange::Exchange(const std::string& socket, const Request& request)
    : connection_(std::make_unique<Connection>()) {
    Connection& to = *connection_;
    const http::request<http::string_body> message = message_of(request);
    const auto check = [&](error_code error) {
        if (error) {
            throw std::runtime_error(socket + ": " + request.method + " " + request.target + ": " +
                                     error.message());
        }
    };
    const asio::local::stream_protocol::endpoint endpoint(socket);
    check(to.wait(header_limit, [&](auto done) { to.stream.async_connect(endpoint, done); }));
    check(to.wait(header_limit, [&](auto done) { http::async_write(to.stream, message, done); }));
    check(to.wait(header_limit, [&](auto done) {
        http::async_read_header(to.stream, to.buffer, to.answer, done);
    }));
}

Exchange::~Exchange() = default;
Exchange::Exchange(Exchange&&) noexcept = default;

Answer Exchange::finish(std::chrono::milliseconds limit) {
    Connection& from = *connection_;
    const error_code error = from.wait(
        limit, [&](auto done) { http::async_read(from.stream, from.buffer, from.answer, done); });
    if (error && error != beast::error::timeout) {
        throw std::runtime_error("an answer broke off: " + error.message());
    }
    return {from.answer.get().result_int(), from.answer.get().body(), !error};
}

}  // namespace drydock::real
