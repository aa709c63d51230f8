#include <drydock/transport.hpp>

#include <algorithm>
#include <stdexcept>

namespace drydock {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view name(Method method) {
    switch (method) {
        case Method::get: return "GET";
        case Method::head: return "HEAD";
        case Method::post: return "POST";
        case Method::put: return "PUT";
        case Method::del: return "DELETE";
    }
    return "GET";
}

std::string_view Response::header(std::string_view name) const noexcept {
    for (const Header& header : headers) {
        if (same_name(header.name, name)) {
            return header.value;
        }
    }
    return {};
}

void throw_exception_from_error(const TransportFailure&, const boost::source_location&) {
    throw std::logic_error("a reply was asked for where there is none");
}

}  // namespace drydock
