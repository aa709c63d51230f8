#pragma once

#include <drydock/serve/server.hpp>
#include <drydock/sim/docker_face.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::serve::test {

namespace http = boost::beast::http;
using asio::awaitable;
using Answer = http::response<http::string_body>;
using Protocol = asio::local::stream_protocol;

/// A request's bytes, with a Host and, if there is a body, its type and length.
std::string request_text(std::string_view method, std::string_view target,
                         std::string_view body = {}, std::string_view more_headers = {});
/// The same for the create of a container that runs `command`, a JSON list.
std::string create_text(std::string_view name, std::string_view command = R"(["sleep","300"])");

/// One client's connection, byte by byte.
class Client {
public:
    Client(asio::io_context& context, const std::string& path);

    awaitable<void> send(std::string text);
    void half_close() { socket_.shutdown(Protocol::socket::shutdown_send); }
    void close() { socket_.close(); }

    /// Both throw boost::system::system_error where there is no whole answer.
    awaitable<Answer> receive(bool is_head = false);
    awaitable<Answer> ask(std::string text);
    /// The header only; the body comes with `receive_rest`.
    awaitable<Answer> receive_header();
    awaitable<Answer> receive_rest();
    /// All bytes until the server closes.
    awaitable<std::string> receive_all();

private:
    using Parser = http::response_parser<http::string_body>;

    Protocol::socket socket_;
    boost::beast::flat_buffer buffer_;
    std::unique_ptr<Parser> parser_;
};

/// A folder of one test, removed with it.
class Scratch {
public:
    Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { std::filesystem::remove_all(folder_); }

    std::string path(std::string_view name) const { return (folder_ / name).string(); }

private:
    std::filesystem::path folder_;
};

/// A server and its clients on one thread.
class Bed {
public:
    explicit Bed(sim::BackendModel* model = nullptr);

    Client client() { return {context, path}; }
    /// Runs until the client's part has ended.
    void run(awaitable<void> part);
    /// Runs until so many requests are over.
    void run_until_served(std::size_t count);
    /// What a client that sends this and half-closes gets until the server closes.
    std::string told(const std::string& text);
    std::vector<std::string> names();

    struct Seen {
        std::string line;
        bool is_delivered;
    };

    Scratch scratch;
    std::string path = scratch.path("engine.sock");
    asio::io_context context{1};
    sim::World world;
    sim::DockerModel docker{world};
    std::vector<Seen> served;
    Server server;
};

/// The text with its Date blanked.
std::string without_date(std::string text);

}  // namespace drydock::serve::test
