#include "wire_text.hpp"

#include <boost/beast/http/status.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

namespace drydock::serve {
namespace {

using Field = std::pair<std::string_view, std::string_view>;

constexpr std::size_t longest_with_length = 2048;

constexpr std::array<Field, 3> of_handlers = {{
    {"Docker-Experimental", "false"},
    {"Ostype", "linux"},
    {"Server", "Docker/20.10.24+dfsg1 (linux)"},
}};

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

bool has(const Response& answer, std::string_view name) {
    return std::any_of(answer.headers.begin(), answer.headers.end(),
                       [name](const Header& header) { return header.name == name; });
}

/// The model's own fields and the usual ones, sorted as Go sorts them.
std::vector<Field> fields_of(const Response& answer) {
    std::vector<Field> fields;
    for (const auto& [name, value] : answer.headers) {
        fields.emplace_back(name, value);
    }
    if (!answer.header("Api-Version").empty()) {
        std::copy_if(of_handlers.begin(), of_handlers.end(), std::back_inserter(fields),
                     [&](const Field& field) { return !has(answer, field.first); });
    }
    if (!answer.body.empty() && !has(answer, "Content-Type")) {
        fields.emplace_back("Content-Type", "text/plain; charset=utf-8");
    }
    std::sort(fields.begin(), fields.end());
    return fields;
}

std::string_view reason_of(int status) {
    constexpr int switching = 101;
    return status == switching
               ? "UPGRADED"
               : std::string_view(boost::beast::http::obsolete_reason(
                     boost::beast::http::int_to_status(static_cast<unsigned>(status))));
}

}  // namespace

bool takes_over(const Response& answer) {
    return answer.header("Content-Type") == "application/vnd.docker.raw-stream";
}

Framing framing_of(const Response& answer, const Form& form) {
    const bool is_short =
        answer.body.size() <= longest_with_length || has(answer, "Content-Length");
    if (takes_over(answer)) return Framing::until_close;
    if (!may_have_body(answer.status)) return Framing::none;
    // The length that a GET would have had; Go says none where the handler wrote nothing.
    if (form.is_head) return is_short && !answer.body.empty() ? Framing::length : Framing::none;
    return is_short ? Framing::length : early_framing_of(form);
}

Framing early_framing_of(const Form& form) {
    if (form.is_head) return Framing::none;
    return form.is_http_1_0 ? Framing::until_close : Framing::chunked;
}

bool keeps_alive(const Form& form, Framing framing) {
    return form.keeps_alive && framing != Framing::until_close;
}

std::string head_text(const Response& answer, const Form& form, Framing framing) {
    std::string text;
    text.reserve(512);
    const auto out = std::back_inserter(text);
    const std::string_view reason = reason_of(answer.status);
    fmt::format_to(out, "HTTP/1.{} {} {}\r\n", form.is_http_1_0 ? 0 : 1, answer.status, reason);
    for (const auto& [name, value] : fields_of(answer)) {
        if (!value.empty()) fmt::format_to(out, "{}: {}\r\n", name, value);
    }
    if (takes_over(answer)) return text.append("\r\n");
    fmt::format_to(out, "Date: {}\r\n", form.date);
    if (framing == Framing::length && !has(answer, "Content-Length")) {
        fmt::format_to(out, "Content-Length: {}\r\n", answer.body.size());
    } else if (framing == Framing::chunked) {
        text.append("Transfer-Encoding: chunked\r\n");
    }
    const bool lives_on = keeps_alive(form, framing);
    if (lives_on == form.is_http_1_0) {
        text.append(lives_on ? "Connection: keep-alive\r\n" : "Connection: close\r\n");
    }
    return text.append("\r\n");
}

void append_body(std::string& text, std::string_view body, Framing framing) {
    switch (framing) {
        case Framing::none: break;
        case Framing::length:
        case Framing::until_close: text.append(body); break;
        case Framing::chunked:
            append_part(text, body, framing);
            text.append(last_chunk);
            break;
    }
}

void append_part(std::string& text, std::string_view bytes, Framing framing) {
    if (framing == Framing::none || bytes.empty()) return;
    if (framing == Framing::chunked) {
        fmt::format_to(std::back_inserter(text), "{:x}\r\n{}\r\n", bytes.size(), bytes);
    } else {
        text.append(bytes);
    }
}

std::string refusal_text(int status, std::string_view reason, std::string_view detail) {
    const std::string line =
        fmt::format("{} {}{}{}", status, reason, detail.empty() ? "" : ": ", detail);
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n{}",
        line, line);
}

std::string http_date_now() {
    const auto now = std::chrono::system_clock::now();
    return fmt::format("{:%a, %d %b %Y %H:%M:%S GMT}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

}  // namespace drydock::serve
