// What is no request, and what is too much of one.
#include "serve/support.hpp"

#include <drydock/faults/text.hpp>

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <random>

namespace drydock::serve::test {
namespace {

using testing::StartsWith;

class ServedBadInput : public testing::Test {
protected:
    /// The refusal as Go's HTTP library writes it, and a closed connection.
    void expect_refused(const std::string& text, const std::string& refusal) {
        EXPECT_EQ(bed.told(text), fmt::format("HTTP/1.1 {}\r\n"
                                              "Content-Type: text/plain; charset=utf-8\r\n"
                                              "Connection: close\r\n\r\n{}",
                                              refusal, refusal))
            << faults::in_quotes(text);
    }
    void expect_alive() {
        EXPECT_THAT(bed.told(request_text("GET", "/containers/json")),
                    StartsWith("HTTP/1.1 200 OK\r\n"));
    }

    Bed bed;
};

TEST_F(ServedBadInput, RequestLine) {
    for (const char* line :
         {"GET", "GET /", "GET  HTTP/1.1", "GET / HTTP/x.y", "G@T / HTTP/1.1", "GET x HTTP/1.1",
          "GET /%zz HTTP/1.1", "GET /%4 HTTP/1.1", "\x16\x03\x01"}) {
        expect_refused(std::string(line) + "\r\nHost: docker\r\n\r\n", "400 Bad Request");
    }
    expect_alive();
}

TEST_F(ServedBadInput, Host) {
    expect_refused("GET /_ping HTTP/1.1\r\n\r\n", "400 Bad Request: missing required Host header");
    expect_refused("GET /_ping HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                   "400 Bad Request: too many Host headers");
}

TEST_F(ServedBadInput, Headers) {
    const std::string ping = "GET /_ping HTTP/1.1\r\nHost: docker\r\n";
    expect_refused(ping + "no colon\r\n\r\n", "400 Bad Request");
    expect_refused(ping + "Content-Length: minus one\r\n\r\n", "400 Bad Request");
    expect_refused(ping + "Transfer-Encoding: gzip\r\n\r\n",
                   "501 Not Implemented: unsupported transfer encoding");
    expect_refused(ping + "Expect: the unexpected\r\n\r\n", "417 Expectation Failed");
    expect_refused(ping + "X: " + std::string(2 << 20, 'x') + "\r\n\r\n", "400 Bad Request");
}

TEST_F(ServedBadInput, Body) {
    const std::string create =
        "POST /containers/create HTTP/1.1\r\nHost: docker\r\nContent-Type: application/json\r\n";
    // Refused by its header: nobody waits for the rest, or asks for it.
    expect_refused(create + "Expect: 100-continue\r\nContent-Length: 67108865\r\n\r\n",
                   "413 Request Entity Too Large");
    expect_refused(create + "Transfer-Encoding: chunked\r\n\r\n4000001\r\n",
                   "413 Request Entity Too Large");
    expect_refused(create + "Transfer-Encoding: chunked\r\n\r\nno number\r\n", "400 Bad Request");
    EXPECT_TRUE(bed.names().empty());
}

TEST_F(ServedBadInput, CutAtEveryByte) {
    const std::string whole = create_text("cut");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const std::string answer = bed.told(whole.substr(0, size));
        // Nothing was asked, or it is refused; never is a part taken for the whole.
        EXPECT_THAT(answer, testing::AnyOf("", StartsWith("HTTP/1.1 400 "))) << size;
    }
    EXPECT_TRUE(bed.names().empty());
    EXPECT_THAT(bed.told(whole), StartsWith("HTTP/1.1 201 "));
}

TEST_F(ServedBadInput, RandomBytes) {
    std::mt19937 bits(768);
    for (int i = 0; i < 500; ++i) {
        std::string noise(bits() % 300, '\0');
        for (char& c : noise) {
            c = static_cast<char>(bits() & 0xff);
        }
        bed.told(noise);
    }
    expect_alive();
}

TEST_F(ServedBadInput, RequestsWithWrongBytes) {
    std::mt19937 bits(768);
    const std::string whole = create_text("spoilt") + request_text("GET", "/containers/json") +
                              request_text("DELETE", "/v1.41/containers/spoilt?force=1");
    for (int i = 0; i < 1000; ++i) {
        std::string text = whole;
        for (int wrong = 0; wrong < 3; ++wrong) {
            text[bits() % text.size()] = static_cast<char>(bits() & 0xff);
        }
        const std::string answer = bed.told(text);
        EXPECT_THAT(answer, testing::AnyOf("", StartsWith("HTTP/1.")));
        EXPECT_THAT(answer, testing::Not(testing::HasSubstr("a defect")))
            << faults::in_quotes(text);
    }
    expect_alive();
}

}  // namespace
}  // namespace drydock::serve::test
