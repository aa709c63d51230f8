#include "serve/support.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/read.hpp>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <regex>
#include <utility>

namespace drydock::serve::test {

std::string request_text(std::string_view method, std::string_view target, std::string_view body,
                         std::string_view more_headers) {
    std::string text =
        fmt::format("{} {} HTTP/1.1\r\nHost: docker\r\n{}", method, target, more_headers);
    if (!body.empty()) {
        text +=
            fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
    }
    return text.append("\r\n").append(body);
}

std::string create_text(std::string_view name, std::string_view command) {
    return request_text("POST", fmt::format("/v1.41/containers/create?name={}", name),
                        fmt::format(R"({{"Image":"bb","Cmd":{}}})", command));
}

Client::Client(asio::io_context& context, const std::string& path) : socket_(context) {
    socket_.connect(Protocol::endpoint(path));
}

awaitable<void> Client::send(std::string text) {
    const auto bytes = asio::buffer(text);
    co_await asio::async_write(socket_, bytes, asio::use_awaitable);
}

awaitable<Answer> Client::receive(bool is_head) {
    parser_ = std::make_unique<Parser>();
    parser_->skip(is_head);
    co_return co_await receive_rest();
}

awaitable<Answer> Client::ask(std::string text) {
    const bool is_head = text.starts_with("HEAD ");
    co_await send(std::move(text));
    co_return co_await receive(is_head);
}

awaitable<Answer> Client::receive_header() {
    parser_ = std::make_unique<Parser>();
    co_await http::async_read_header(socket_, buffer_, *parser_, asio::use_awaitable);
    co_return Answer(parser_->get().base());
}

awaitable<Answer> Client::receive_rest() {
    co_await http::async_read(socket_, buffer_, *parser_, asio::use_awaitable);
    co_return parser_->release();
}

awaitable<std::string> Client::receive_all() {
    std::string text = boost::beast::buffers_to_string(buffer_.data());
    buffer_.clear();
    const auto space = asio::dynamic_buffer(text);
    constexpr auto completion = asio::as_tuple(asio::use_awaitable);
    [[maybe_unused]] const auto ended = co_await asio::async_read(socket_, space, completion);
    co_return text;
}

Scratch::Scratch() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("drydock-") + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
}

Bed::Bed(sim::BackendModel* model)
    : server(context.get_executor(), world, model != nullptr ? *model : docker, path,
             [this](const Served& request) {
                 served.push_back(
                     {fmt::format("{} {} {}", request.method, request.target, request.status),
                      request.is_delivered});
             }) {}

void Bed::run(awaitable<void> part) {
    bool has_ended = false;
    asio::co_spawn(context, std::move(part), [&has_ended](const std::exception_ptr& failure) {
        has_ended = true;
        if (failure) std::rethrow_exception(failure);
    });
    while (!has_ended) {
        context.run_one();
    }
}

void Bed::run_until_served(std::size_t count) {
    while (served.size() < count) {
        context.run_one();
    }
}

std::string Bed::told(const std::string& text) {
    Client talker = client();
    std::string all;
    const auto part = [&]() -> awaitable<void> {
        co_await talker.send(text);
        talker.half_close();
        all = co_await talker.receive_all();
    };
    run(part());
    return all;
}

std::vector<std::string> Bed::names() {
    Client asker = client();
    std::vector<std::string> names;
    const auto part = [&]() -> awaitable<void> {
        const std::string text = request_text("GET", "/v1.41/containers/json?all=1");
        const Answer answer = co_await asker.ask(text);
        for (const auto& container : nlohmann::json::parse(answer.body())) {
            names.push_back(container.at("Names").at(0).get<std::string>());
        }
    };
    run(part());
    return names;
}

std::string without_date(std::string text) {
    static const std::regex date(
        "Date: [A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} "
        "[0-9]{2}:[0-9]{2}:[0-9]{2} GMT");
    return std::regex_replace(text, date, "Date: *");
}

}  // namespace drydock::serve::test
