#pragma once

#include <drydock/transport.hpp>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace drydock::serve {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

// Enough for any archive that a sandbox is set up with; Go's limit for headers.
inline constexpr std::uint32_t longest_header = 1 << 20;
inline constexpr std::uint64_t longest_body = 64 << 20;

/// What is said to a client that sent no request that the engine could look at.
struct Refusal {
    int status;
    std::string_view reason;
    std::string_view detail{};
};

/// Why Go's HTTP library would not hand this request on, by its header.
std::optional<Refusal> why_refused(const HttpRequest& request, bool is_chunked);
/// The same for what could not be read; nothing if there is nobody to tell.
std::optional<Refusal> why_unreadable(boost::system::error_code failure);

bool expects_continue(const HttpRequest& request);
/// Nothing for a method that no route has.
std::optional<Method> method_of(const HttpRequest& request);
/// Path and query, also of a target that names the host.
std::string_view target_of(const HttpRequest& request);

}  // namespace drydock::serve
