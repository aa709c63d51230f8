#include "wire_text.hpp"

#include <gtest/gtest.h>

namespace drydock::serve {
namespace {

Response answer_of(std::size_t size, int status = 200) {
    return {status, {{"Content-Type", "application/json"}}, std::string(size, 'x')};
}

TEST(WireText, LengthUpTo2048ThenChunks) {
    EXPECT_EQ(framing_of(answer_of(0), {}), Framing::length);
    EXPECT_EQ(framing_of(answer_of(2048), {}), Framing::length);
    EXPECT_EQ(framing_of(answer_of(2049), {}), Framing::chunked);
}

TEST(WireText, OldClientsTakeALongBodyUntilTheClose) {
    const Form old{.is_http_1_0 = true};
    EXPECT_EQ(framing_of(answer_of(2048), old), Framing::length);
    EXPECT_EQ(framing_of(answer_of(2049), old), Framing::until_close);
    EXPECT_TRUE(keeps_alive(old, Framing::length));
    EXPECT_FALSE(keeps_alive(old, Framing::until_close));
}

TEST(WireText, NoBodyAfter204And304) {
    for (const int status : {204, 304}) {
        const Response answer = answer_of(0, status);
        EXPECT_EQ(framing_of(answer, {}), Framing::none);
        EXPECT_EQ(head_text(answer, {}, Framing::none).find("Content-Length"), std::string::npos);
    }
}

TEST(WireText, HeadTellsTheLengthOnly) {
    const Form head{.is_head = true, .date = "*"};
    const Response answer = answer_of(5);
    std::string text = head_text(answer, head, framing_of(answer, head));
    EXPECT_EQ(text,
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: *\r\n"
              "Content-Length: 5\r\n\r\n");
    EXPECT_EQ(early_framing_of(head), Framing::none);
}

TEST(WireText, TheModelsHeadersWin) {
    const Response answer{200,
                          {{"Ostype", "plan9"},
                           {"Docker-Experimental", ""},
                           {"Content-Length", "0"},
                           {"Api-Version", "1.41"}},
                          {}};
    EXPECT_EQ(head_text(answer, {.is_head = true, .date = "*"}, Framing::none),
              "HTTP/1.1 200 OK\r\nApi-Version: 1.41\r\nContent-Length: 0\r\nOstype: plan9\r\n"
              "Server: Docker/20.10.24+dfsg1 (linux)\r\nDate: *\r\n\r\n");
}

TEST(WireText, SaysWhetherTheConnectionLives) {
    const auto says = [](bool is_old, bool keeps) {
        const Form form{.is_http_1_0 = is_old, .keeps_alive = keeps, .date = "*"};
        const std::string text = head_text(answer_of(1), form, Framing::length);
        const std::size_t at = text.find("Connection: ");
        return at == std::string::npos ? std::string() : text.substr(at + 12);
    };
    EXPECT_EQ(says(false, true), "");
    EXPECT_EQ(says(false, false), "close\r\n\r\n");
    EXPECT_EQ(says(true, true), "keep-alive\r\n\r\n");
    EXPECT_EQ(says(true, false), "");
}

TEST(WireText, Chunks) {
    std::string text;
    append_body(text, std::string(26, 'x'), Framing::chunked);
    EXPECT_EQ(text, "1a\r\n" + std::string(26, 'x') + "\r\n0\r\n\r\n");
    text.clear();
    append_body(text, "", Framing::chunked);
    EXPECT_EQ(text, "0\r\n\r\n");
}

}  // namespace
}  // namespace drydock::serve
