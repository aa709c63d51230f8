// Streams through a real socket: exec, attach and logs.
#include "serve/support.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace drydock::serve::test {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view upgrade = "Connection: Upgrade\r\nUpgrade: tcp\r\n";
constexpr std::string_view attached = R"({"Detach":false,"Tty":false})";

std::string frame(char stream, std::string_view text) {
    std::string bytes = {stream, '\0', '\0', '\0',
                         '\0',   '\0', '\0', static_cast<char>(text.size())};
    return bytes.append(text);
}

class ServedStreams : public testing::Test {
protected:
    ServedStreams() { run_container("box", R"(["sleep","300"])"); }

    Answer ask(const std::string& text) {
        Client client = bed.client();
        Answer answer;
        const auto part = [&]() -> awaitable<void> { answer = co_await client.ask(text); };
        bed.run(part());
        return answer;
    }
    void run_container(std::string_view name, std::string_view command) {
        ask(create_text(name, command));
        ask(request_text("POST", fmt::format("/containers/{}/start", name)));
    }
    std::string exec(std::string_view line, bool with_input = false) {
        const json body = {{"Cmd", {"sh", "-c", line}},
                           {"AttachStdin", with_input},
                           {"AttachStdout", true},
                           {"AttachStderr", true}};
        const Answer answer = ask(request_text("POST", "/containers/box/exec", body.dump()));
        return json::parse(answer.body()).at("Id");
    }
    std::string start_text(const std::string& id, std::string_view headers = upgrade) {
        return request_text("POST", "/exec/" + id + "/start", attached, headers);
    }
    json exit_code(const std::string& id) {
        return json::parse(ask(request_text("GET", "/exec/" + id + "/json")).body()).at("ExitCode");
    }

    Bed bed;
};

TEST_F(ServedStreams, ExecTakesTheConnectionOver) {
    const std::string id = exec("echo out; sleep 0.05; echo err >&2");
    EXPECT_EQ(bed.told(start_text(id)),
              "HTTP/1.1 101 UPGRADED\r\n"
              "Api-Version: 1.41\r\n"
              "Connection: Upgrade\r\n"
              "Content-Type: application/vnd.docker.raw-stream\r\n"
              "Docker-Experimental: false\r\n"
              "Ostype: linux\r\n"
              "Server: Docker/20.10.24+dfsg1 (linux)\r\n"
              "Upgrade: tcp\r\n\r\n" +
                  frame(1, "out\n") + frame(2, "err\n"));
    EXPECT_EQ(exit_code(id), 0);
}

TEST_F(ServedStreams, ExecWithoutUpgradeIsAnOk) {
    const std::string told = bed.told(start_text(exec("echo out"), {}));
    EXPECT_THAT(told, StartsWith("HTTP/1.1 200 OK\r\nApi-Version"));
    EXPECT_THAT(told, Not(HasSubstr("Connection:")));
    EXPECT_THAT(told, Not(HasSubstr("Date:")));
    EXPECT_THAT(told, EndsWith("\r\n\r\n" + frame(1, "out\n")));
}

TEST_F(ServedStreams, RefusedAttachIsPlainText) {
    EXPECT_EQ(bed.told(request_text("POST", "/containers/nosuch/attach?stream=1", {}, upgrade)),
              "HTTP/1.1 404 Not Found\r\n"
              "Content-Type: application/vnd.docker.raw-stream\r\n\r\n"
              "No such container: nosuch\r\n");
}

TEST_F(ServedStreams, InputGoesToTheProgramUntilTheHalfClose) {
    const std::string id = exec("cat; echo end", true);
    Client client = bed.client();
    std::string told;
    const auto part = [&]() -> awaitable<void> {
        const std::string begin = start_text(id) + "with the header ";
        co_await client.send(begin);
        const Answer head = co_await client.receive_header();
        EXPECT_EQ(head.result_int(), 101);
        co_await client.send("and after it\n");
        client.half_close();
        told = co_await client.receive_all();
    };
    bed.run(part());
    std::string text;
    for (std::size_t i = 0; i + 8 <= told.size(); i += 8 + static_cast<std::size_t>(told[i + 7])) {
        text += told.substr(i + 8, static_cast<std::size_t>(told[i + 7]));
    }
    EXPECT_EQ(text, "with the header and after it\nend\n");
    EXPECT_EQ(exit_code(id), 0);
}

TEST_F(ServedStreams, ClientThatLeavesKillsNothing) {
    const std::string id = exec("cat; sleep 0.1; exit 4", true);
    const std::size_t served = bed.served.size();
    {
        Client client = bed.client();
        const auto part = [&]() -> awaitable<void> {
            co_await client.send(start_text(id));
            co_await client.receive_header();
        };
        bed.run(part());
        EXPECT_EQ(exit_code(id), nullptr);
    }
    bed.run_until_served(served + 2);
    EXPECT_FALSE(bed.served.back().is_delivered);
    while (exit_code(id).is_null()) {
    }
    EXPECT_EQ(exit_code(id), 4) << "its input ended, and nothing else";
}

TEST_F(ServedStreams, LogIsFollowedInChunks) {
    run_container("two", R"(["sh","-c","echo a; sleep 0.1; echo b"])");
    Client client = bed.client();
    const auto part = [&]() -> awaitable<void> {
        const std::string logs = request_text("GET", "/containers/two/logs?stdout=1&follow=1");
        co_await client.send(logs);
        const Answer head = co_await client.receive_header();
        EXPECT_TRUE(head.chunked());
        EXPECT_EQ(head.count("Content-Type"), 0u);
        const Answer whole = co_await client.receive_rest();
        EXPECT_EQ(whole.body(), frame(1, "a\n") + frame(1, "b\n"));
        const Answer again = co_await client.ask(logs);
        EXPECT_EQ(again.body(), whole.body()) << "the connection lives on";
    };
    bed.run(part());
}

TEST_F(ServedStreams, FollowerThatLeavesIsForgotten) {
    const std::size_t served = bed.served.size();
    {
        Client client = bed.client();
        const auto part = [&]() -> awaitable<void> {
            const std::string logs = request_text("GET", "/containers/box/logs?stdout=1&follow=1");
            co_await client.send(logs);
            co_await client.receive_header();
        };
        bed.run(part());
    }
    bed.run_until_served(served + 1);
    EXPECT_FALSE(bed.served.back().is_delivered);
    EXPECT_EQ(ask(request_text("DELETE", "/containers/box?force=1")).result_int(), 204);
}

}  // namespace
}  // namespace drydock::serve::test
