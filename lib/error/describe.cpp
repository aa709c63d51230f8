#include <drydock/error.hpp>

#include <fmt/format.h>

#include <iterator>

namespace drydock {

namespace {

constexpr std::string_view token_start = "[drydock:";

// A message may be another error's description, brought here as text: its token must not pass for
// ours.
std::string without_tokens(std::string_view message) {
    std::string text(message);
    for (std::size_t at = text.find(token_start); at != std::string::npos;
         at = text.find(token_start, at)) {
        text.replace(at, token_start.size(), "[drydock ");
    }
    return text;
}

// Deeper chains are cut: a description is for reading, and recursion must stay bounded.
constexpr int depth_limit = 8;

void describe_into(std::string& text, const Error& error, int depth) {
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{}: ", name(error.kind()));
    if (error.operation()) fmt::format_to(out, "{}: ", name(*error.operation()));
    text += error.message().empty() ? "(no detail)" : without_tokens(error.message());
    if (error.status() != 0) fmt::format_to(out, " (status {})", error.status());
    if (!error.code().empty()) fmt::format_to(out, " (code {})", error.code());
    if (error.obligation() == Obligation::remains) text += " (an obligation remains)";
    fmt::format_to(out, " {}{}]", token_start, name(error.kind()));
    for (const Error& cause : error.causes()) {
        text += "; caused by ";
        if (depth == depth_limit) {
            text += "more";
            return;
        }
        describe_into(text, cause, depth + 1);
    }
}

}  // namespace

std::string Error::describe() const {
    std::string text;
    describe_into(text, *this, 0);
    return text;
}

std::optional<ErrorKind> kind_in(std::string_view text) {
    const std::size_t start = text.find(token_start);
    if (start == std::string_view::npos) return std::nullopt;
    text.remove_prefix(start + token_start.size());
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    return error_kind_from_name(text.substr(0, end));
}

}  // namespace drydock
