// Whole lives of containers through a real socket.
#include "serve/support.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace drydock::serve::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ServedDocker : public testing::Test {
protected:
    Bed bed;
};

TEST_F(ServedDocker, ALifeOnOneConnection) {
    Client client = bed.client();
    const auto part = [&]() -> awaitable<void> {
        const Answer created = co_await client.ask(create_text("one"));
        EXPECT_EQ(created.result_int(), 201);
        const std::string id = json::parse(created.body()).at("Id").get<std::string>();

        const std::string start = request_text("POST", "/v1.41/containers/one/start");
        const Answer started = co_await client.ask(start);
        EXPECT_EQ(started.result_int(), 204);
        const Answer started_again = co_await client.ask(start);
        EXPECT_EQ(started_again.result_int(), 304);

        const std::string inspect = request_text("GET", "/v1.41/containers/one/json");
        const Answer inspected = co_await client.ask(inspect);
        EXPECT_EQ(inspected.result_int(), 200);
        EXPECT_TRUE(inspected.chunked());
        const json container = json::parse(inspected.body());
        EXPECT_EQ(container.at("Id"), id);
        EXPECT_EQ(container.at("State").at("Status"), "running");

        const std::string remove = request_text("DELETE", "/v1.41/containers/one?force=1");
        const Answer removed = co_await client.ask(remove);
        EXPECT_EQ(removed.result_int(), 204);
        const Answer missing = co_await client.ask(inspect);
        EXPECT_EQ(missing.result_int(), 404);
        EXPECT_FALSE(missing.chunked());
    };
    bed.run(part());
    EXPECT_THAT(bed.names(), IsEmpty());
    EXPECT_EQ(bed.served.front().line, "POST /v1.41/containers/create?name=one 201");
}

TEST_F(ServedDocker, HeadersAsRecorded) {
    EXPECT_EQ(without_date(bed.told(request_text("GET", "/v1.41/containers/d2/json"))),
              "HTTP/1.1 404 Not Found\r\n"
              "Api-Version: 1.41\r\n"
              "Content-Type: application/json\r\n"
              "Docker-Experimental: false\r\n"
              "Ostype: linux\r\n"
              "Server: Docker/20.10.24+dfsg1 (linux)\r\n"
              "Date: *\r\n"
              "Content-Length: 36\r\n\r\n"
              "{\"message\":\"No such container: d2\"}\n");
}

TEST_F(ServedDocker, AMethodThatNoRouteHas) {
    EXPECT_EQ(without_date(bed.told(request_text("PATCH", "/v1.41/containers/json"))),
              "HTTP/1.1 404 Not Found\r\n"
              "Content-Type: application/json\r\n"
              "Date: *\r\n"
              "Content-Length: 29\r\n\r\n"
              "{\"message\":\"page not found\"}\n");
}

TEST_F(ServedDocker, TimePassesByItself) {
    Client client = bed.client();
    const auto part = [&]() -> awaitable<void> {
        const Answer created = co_await client.ask(create_text("brief", R"(["true"])"));
        EXPECT_EQ(created.result_int(), 201);
        co_await client.ask(request_text("POST", "/containers/brief/start"));
        std::string status = "running";
        while (status == "running") {
            const Answer answer =
                co_await client.ask(request_text("GET", "/containers/brief/json"));
            status = json::parse(answer.body()).at("State").at("Status").get<std::string>();
        }
        EXPECT_EQ(status, "exited");
    };
    bed.run(part());
}

TEST_F(ServedDocker, HeadHasNoBodyAndTheConnectionGoesOn) {
    Client client = bed.client();
    const auto part = [&]() -> awaitable<void> {
        const Answer head = co_await client.ask(request_text("HEAD", "/_ping"));
        EXPECT_EQ(head.result_int(), 200);
        EXPECT_EQ(head["Api-Version"], "1.41");
        EXPECT_EQ(head.body(), "");
        const Answer list = co_await client.ask(request_text("GET", "/containers/json"));
        EXPECT_EQ(list.body(), "[]\n");
    };
    bed.run(part());
}

TEST_F(ServedDocker, OldClients) {
    const std::string list = " /containers/json HTTP/1.0\r\n";
    EXPECT_THAT(bed.told("GET" + list + "\r\n"), testing::AllOf(StartsWith("HTTP/1.0 200 OK\r\n"),
                                                                testing::EndsWith("\r\n\r\n[]\n")));
    Client client = bed.client();
    const auto part = [&]() -> awaitable<void> {
        for (int i = 0; i < 2; ++i) {
            const Answer kept =
                co_await client.ask("GET" + list + "Connection: keep-alive\r\n\r\n");
            EXPECT_EQ(kept["Connection"], "keep-alive");
        }
        const Answer created = co_await client.ask(create_text("one"));
        EXPECT_EQ(created.result_int(), 201);
        co_await client.send("GET /containers/one/json HTTP/1.0\r\n\r\n");
        const std::string all = co_await client.receive_all();
        EXPECT_THAT(all, testing::Not(HasSubstr("chunked")));
        EXPECT_EQ(json::parse(all.substr(all.find("\r\n\r\n"))).at("Name"), "/one");
    };
    bed.run(part());
}

TEST_F(ServedDocker, TheBodyIsAskedForWhereTheClientWaits) {
    Client client = bed.client();
    const std::string body = R"({"Image":"bb"})";
    const auto part = [&]() -> awaitable<void> {
        co_await client.send(fmt::format(
            "POST /containers/create?name=one HTTP/1.1\r\nHost: docker\r\nContent-Type: "
            "application/json\r\nContent-Length: {}\r\nExpect: 100-Continue\r\n\r\n",
            body.size()));
        const Answer go_on = co_await client.receive();
        EXPECT_EQ(go_on.result_int(), 100);
        const Answer created = co_await client.ask(body);
        EXPECT_EQ(created.result_int(), 201);
    };
    bed.run(part());
}

TEST_F(ServedDocker, ChunkedBody) {
    EXPECT_THAT(bed.told("POST /containers/create?name=one HTTP/1.1\r\nHost: docker\r\n"
                         "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "5\r\n{\"Ima\r\n9\r\nge\":\"bb\"}\r\n0\r\n\r\n"),
                StartsWith("HTTP/1.1 201 Created\r\n"));
    EXPECT_THAT(bed.names(), ElementsAre("/one"));
}

TEST_F(ServedDocker, PipelinedRequestsAreAnsweredInOrder) {
    Client client = bed.client();
    const auto part = [&]() -> awaitable<void> {
        co_await client.send(create_text("one") + create_text("one") +
                             request_text("GET", "/containers/json"));
        std::vector<unsigned> statuses;
        for (int i = 0; i < 3; ++i) {
            const Answer answer = co_await client.receive();
            statuses.push_back(answer.result_int());
        }
        EXPECT_THAT(statuses, ElementsAre(201, 409, 200));
    };
    bed.run(part());
}

TEST_F(ServedDocker, AsksToCloseAndIsClosed) {
    const std::string list = request_text("GET", "/containers/json", "", "Connection: close\r\n");
    const std::string all = bed.told(list + list);
    EXPECT_THAT(all, HasSubstr("\r\nConnection: close\r\n"));
    EXPECT_EQ(all.rfind("HTTP/1.1 "), 0U);  // one answer only
}

TEST_F(ServedDocker, ATargetThatNamesTheHost) {
    EXPECT_THAT(bed.told(request_text("GET", "http://docker/v1.41/containers/json")),
                StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(ServedDocker, WhatALeavingClientAskedForIsDone) {
    Client client = bed.client();
    const auto part = [&]() -> awaitable<void> {
        co_await client.send(create_text("left"));
        client.close();
    };
    bed.run(part());
    bed.run_until_served(1);
    EXPECT_THAT(bed.names(), ElementsAre("/left"));
}

TEST_F(ServedDocker, ManyAtOnce) {
    constexpr std::size_t count = 64;
    std::vector<Client> clients;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
        clients.push_back(bed.client());
        texts.push_back(create_text(fmt::format("c{}", i)));
    }
    // Each has sent a part before any is answered.
    const auto begin = [&](std::size_t i) -> awaitable<void> {
        const std::string part = texts[i].substr(0, 10);
        co_await clients[i].send(part);
    };
    std::size_t created = 0;
    const auto end = [&](std::size_t i) -> awaitable<void> {
        const std::string rest = texts[i].substr(10);
        const Answer answer = co_await clients[i].ask(rest);
        created += answer.result_int() == 201 ? 1 : 0;
    };
    for (std::size_t i = 0; i < count; ++i) {
        bed.run(begin(i));
    }
    for (std::size_t i = count; i > 0; --i) {
        bed.run(end(i - 1));
    }
    EXPECT_EQ(created, count);
    EXPECT_EQ(bed.names().size(), count);
}

TEST_F(ServedDocker, ASlowClientHoldsUpNobody) {
    Client slow = bed.client();
    const std::string text = create_text("slow");
    const std::size_t half = text.size() - 5;
    const auto begin = [&]() -> awaitable<void> { co_await slow.send(text.substr(0, half)); };
    bed.run(begin());
    EXPECT_THAT(bed.told(create_text("quick")), StartsWith("HTTP/1.1 201"));
    EXPECT_THAT(bed.names(), ElementsAre("/quick"));
    const auto end = [&]() -> awaitable<void> {
        const Answer answer = co_await slow.ask(text.substr(half));
        EXPECT_EQ(answer.result_int(), 201);
    };
    bed.run(end());
}

}  // namespace
}  // namespace drydock::serve::test
