#include "http_request.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <cctype>

namespace drydock::serve {
namespace {

namespace http = boost::beast::http;

constexpr Refusal bad_request = {400, "Bad Request"};

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

/// A path whose escapes are whole, as Go wants it. The query may be anything.
bool is_well_formed(std::string_view target) {
    const std::string_view path = target.substr(0, target.find('?'));
    if (!path.starts_with('/')) return false;
    for (std::size_t i = path.find('%'); i != path.npos; i = path.find('%', i + 1)) {
        if (i + 2 >= path.size() || !is_hex(path[i + 1]) || !is_hex(path[i + 2])) return false;
    }
    return true;
}

}  // namespace

std::string_view target_of(const HttpRequest& request) {
    constexpr std::string_view scheme = "http://";
    std::string_view target = request.target();
    if (!target.starts_with(scheme)) return target;
    target.remove_prefix(scheme.size());
    const std::size_t path = target.find('/');
    return path == target.npos ? "/" : target.substr(path);
}

std::optional<Refusal> why_refused(const HttpRequest& request, bool is_chunked) {
    const std::size_t hosts = request.count(http::field::host);
    if (!is_well_formed(target_of(request))) return bad_request;
    if (hosts == 0 && request.version() >= 11) {
        return Refusal{400, "Bad Request", "missing required Host header"};
    }
    if (hosts > 1) return Refusal{400, "Bad Request", "too many Host headers"};
    if (!is_chunked && request.count(http::field::transfer_encoding) > 0) {
        return Refusal{501, "Not Implemented", "unsupported transfer encoding"};
    }
    const bool expects_more = request.count(http::field::expect) > 0 && request.version() >= 11;
    if (expects_more && !expects_continue(request)) return Refusal{417, "Expectation Failed"};
    return std::nullopt;
}

std::optional<Refusal> why_unreadable(boost::system::error_code failure) {
    if (failure == http::error::body_limit) return Refusal{413, "Request Entity Too Large"};
    const bool is_left = failure == http::error::end_of_stream;
    const bool is_malformed =
        failure.category() == make_error_code(http::error::end_of_stream).category();
    return is_malformed && !is_left ? std::optional(bad_request) : std::nullopt;
}

bool expects_continue(const HttpRequest& request) {
    return request.version() >= 11 &&
           boost::beast::iequals(request[http::field::expect], "100-continue");
}

std::optional<Method> method_of(const HttpRequest& request) {
    switch (request.method()) {
        case http::verb::get: return Method::get;
        case http::verb::head: return Method::head;
        case http::verb::post: return Method::post;
        case http::verb::put: return Method::put;
        case http::verb::delete_: return Method::del;
        default: return std::nullopt;
    }
}

}  // namespace drydock::serve
