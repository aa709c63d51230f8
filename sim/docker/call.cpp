#include "docker/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace drydock::sim::docker {
namespace {

int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string decoded(std::string_view text, bool plus_is_blank) {
    const bool has_blank = plus_is_blank && text.find('+') != std::string_view::npos;
    if (!has_blank && text.find('%') == std::string_view::npos) {
        return std::string(text);
    }
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape = text[i] == '%' && i + 2 < text.size() &&
                               hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
        if (is_escape) {
            plain.push_back(
                static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
            i += 2;
        } else {
            plain.push_back(text[i] == '+' && plus_is_blank ? ' ' : text[i]);
        }
    }
    return plain;
}

void read_query(std::string_view text, std::vector<std::pair<std::string, std::string>>& query) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view pair = text.substr(0, end);
        const std::size_t equals = std::min(pair.find('='), pair.size());
        query.emplace_back(
            decoded(pair.substr(0, equals), true),
            equals == pair.size() ? std::string() : decoded(pair.substr(equals + 1), true));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Takes "/v1.N" off the path. False if it is a version that the engine refuses.
bool take_version(std::string_view& path, Call& call) {
    constexpr std::string_view prefix = "/v1.";
    if (!path.starts_with(prefix)) {
        return true;
    }
    int minor = 0;
    const char* const begin = path.data() + prefix.size();
    const auto [end, failed] = std::from_chars(begin, path.data() + path.size(), minor);
    if (failed != std::errc{} || end == path.data() + path.size() || *end != '/') {
        return true;
    }
    if (minor > 41) {
        call.version_error = fmt::format(
            "client version 1.{} is too new. Maximum supported API version is 1.41", minor);
    } else if (minor < 12) {
        call.is_too_old = true;
        call.version_error = fmt::format(
            "client version 1.{} is too old. Minimum supported API version is 1.12, "
            "please upgrade your client to a newer version",
            minor);
    }
    call.minor_version = minor;
    path.remove_prefix(static_cast<std::size_t>(end - path.data()));
    return call.version_error.empty();
}

bool take_suffix(std::string_view& path, std::string_view suffix) {
    if (path.size() <= suffix.size() || !path.ends_with(suffix)) {
        return false;
    }
    path.remove_suffix(suffix.size());
    return true;
}

Call::Route route_of_posted(std::string_view& reference) {
    using Route = Call::Route;
    constexpr std::array<std::pair<std::string_view, Route>, 13> routes = {
        {{"/start", Route::start},
         {"/stop", Route::stop},
         {"/kill", Route::kill},
         {"/wait", Route::wait},
         {"/restart", Route::restart},
         {"/pause", Route::pause},
         {"/unpause", Route::unpause},
         {"/rename", Route::rename},
         {"/exec", Route::exec_create},
         {"/attach", Route::attach},
         {"/copy", Route::copy},
         {"/resize", Route::resize},
         {"/update", Route::update}}};
    for (const auto& [suffix, route] : routes) {
        if (take_suffix(reference, suffix)) {
            return route;
        }
    }
    return Route::none;
}

Call::Route route_of_gotten(std::string_view& reference) {
    using Route = Call::Route;
    constexpr std::array<std::pair<std::string_view, Route>, 6> routes = {
        {{"/json", Route::inspect},
         {"/logs", Route::logs},
         {"/archive", Route::archive},
         {"/top", Route::top},
         {"/stats", Route::stats},
         {"/changes", Route::changes}}};
    for (const auto& [suffix, route] : routes) {
        if (take_suffix(reference, suffix)) {
            return route;
        }
    }
    return Route::none;
}

Call::Route exec_route(Method method, std::string_view& reference) {
    if (method == Method::get && take_suffix(reference, "/json")) {
        return Call::Route::exec_inspect;
    }
    if (method == Method::post && take_suffix(reference, "/start")) {
        return Call::Route::exec_start;
    }
    return method == Method::post && take_suffix(reference, "/resize") ? Call::Route::exec_resize
                                                                       : Call::Route::none;
}

Call::Route image_route(Method method, std::string_view& reference) {
    if (method == Method::get && reference == "json") {
        return Call::Route::image_list;
    }
    if (method == Method::get && take_suffix(reference, "/json")) {
        return Call::Route::image;
    }
    if (method == Method::post && take_suffix(reference, "/tag")) {
        return Call::Route::image_tag;
    }
    return method == Method::del && !reference.empty() ? Call::Route::image_remove
                                                       : Call::Route::none;
}

Call::Route volume_route(Method method, std::string_view& reference) {
    const bool is_known =
        method == Method::get || (method == Method::del && !reference.empty()) ||
        (method == Method::post && (reference == "create" || reference == "prune"));
    return is_known ? Call::Route::volume : Call::Route::none;
}

Call::Route network_route(Method method, std::string_view& reference) {
    const bool is_known = method == Method::get || (method == Method::del && !reference.empty()) ||
                          (method == Method::post && reference == "create");
    return is_known ? Call::Route::network : Call::Route::none;
}

Call::Route plain_route(Method method, std::string_view path) {
    using Route = Call::Route;
    constexpr std::array<std::pair<std::string_view, Route>, 7> gotten = {
        {{"/_ping", Route::ping},
         {"/version", Route::version},
         {"/info", Route::info},
         {"/events", Route::events},
         {"/volumes", Route::volume},
         {"/networks", Route::network},
         {"/system/df", Route::disk_usage}}};
    for (const auto& [whole, route] : gotten) {
        if (path == whole && method == Method::get) {
            return route;
        }
    }
    if (path == "/_ping" && method == Method::head) {
        return Route::ping;
    }
    return path == "/commit" && method == Method::post ? Route::commit : Route::none;
}

/// All but containers and execs.
Call::Route system_route(Method method, std::string_view path, std::string_view& reference) {
    using Routing = Call::Route (*)(Method, std::string_view&);
    constexpr std::array<std::pair<std::string_view, Routing>, 3> kinds = {
        {{"/images/", image_route}, {"/volumes/", volume_route}, {"/networks/", network_route}}};
    for (const auto& [prefix, route] : kinds) {
        if (path.starts_with(prefix)) {
            reference = path.substr(prefix.size());
            return route(method, reference);
        }
    }
    return plain_route(method, path);
}

Call::Route route_of(Method method, std::string_view path, std::string_view& reference) {
    constexpr std::string_view containers = "/containers/";
    constexpr std::string_view execs = "/exec/";
    const bool is_get = method == Method::get;
    if (path.starts_with(execs)) {
        reference = path.substr(execs.size());
        return exec_route(method, reference);
    }
    if (!path.starts_with(containers)) {
        return system_route(method, path, reference);
    }
    path.remove_prefix(containers.size());
    if (path == "json" && is_get) {
        return Call::Route::list;
    }
    if (path == "create" && method == Method::post) {
        return Call::Route::create;
    }
    reference = path;
    if (is_get) {
        return route_of_gotten(reference);
    }
    const bool takes_archive = method == Method::head || method == Method::put;
    if (takes_archive && take_suffix(reference, "/archive")) {
        return Call::Route::archive;
    }
    if (method == Method::post) {
        return route_of_posted(reference);
    }
    if (method == Method::del && !path.empty()) {
        return Call::Route::remove;
    }
    return Call::Route::none;
}

}  // namespace

std::string_view Call::parameter(std::string_view name) const noexcept {
    for (const auto& [key, value] : query) {
        if (key == name) {
            return value;
        }
    }
    return {};
}

bool Call::has(std::string_view name) const noexcept {
    return std::any_of(query.begin(), query.end(),
                       [name](const auto& one) { return one.first == name; });
}

bool Call::flag(std::string_view name) const noexcept {
    const std::string_view value = parameter(name);
    constexpr std::array<std::string_view, 5> no = {"", "0", "no", "false", "none"};
    return std::none_of(no.begin(), no.end(), [value](std::string_view word) {
        return std::equal(value.begin(), value.end(), word.begin(), word.end(),
                          [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
    });
}

Call read_route(const Request& request) {
    Call call;
    call.request = &request;
    std::string_view path = request.target;
    path = path.substr(0, path.find('?'));
    if (!take_version(path, call)) {
        return call;
    }
    std::string_view reference;
    call.route = route_of(request.method, path, reference);
    call.reference = decoded(reference, false);
    return call;
}

Call read_call(const Request& request) {
    Call call = read_route(request);
    const std::string_view target = request.target;
    if (const std::size_t mark = target.find('?'); mark != std::string_view::npos) {
        read_query(target.substr(mark + 1), call.query);
    }
    return call;
}

}  // namespace drydock::sim::docker
