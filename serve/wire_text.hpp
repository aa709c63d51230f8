#pragma once

#include <drydock/transport.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace drydock::serve {

/// How the bytes after an answer's header are to be taken.
enum class Framing : std::uint8_t { none, length, chunked, until_close };

/// What the form of an answer depends on besides the answer.
struct Form {
    bool is_head = false;      ///< the request was a HEAD
    bool is_http_1_0 = false;  ///< so it knows no chunks
    bool keeps_alive = true;   ///< what the client wants
    std::string_view date{};   ///< as in the header Date
};

/// As Go's HTTP library does it: a body of up to 2048 bytes gets its length, a longer one chunks.
Framing framing_of(const Response& answer, const Form& form);
/// Of an answer whose header goes out before its body is known.
Framing early_framing_of(const Form& form);
/// True if the answer takes the connection over: nothing of HTTP follows its header.
bool takes_over(const Response& answer);
/// True if another request may follow on the connection.
bool keeps_alive(const Form& form, Framing framing);

/// Status line and headers. What the engine says in every answer of its handlers (those with an
/// Api-Version) is added, unless the model says otherwise: a value, or an empty one for none.
std::string head_text(const Response& answer, const Form& form, Framing framing);
/// The body in that framing, whole.
void append_body(std::string& text, std::string_view body, Framing framing);

/// One part of a body whose end is not known; nothing for no bytes.
void append_part(std::string& text, std::string_view bytes, Framing framing);
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

/// What Go's HTTP library says to what is no request. The connection is closed after it.
std::string refusal_text(int status, std::string_view reason, std::string_view detail = {});

/// "Thu, 01 Jan 2026 00:00:00 GMT", by the real clock.
std::string http_date_now();

}  // namespace drydock::serve
