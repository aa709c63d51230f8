#include "docker/network_parts.hpp"

#include "docker/answers.hpp"
#include "docker/inspect_text.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <span>

namespace drydock::sim::docker {
namespace {

constexpr std::array<std::string_view, 2> any_address = {"0.0.0.0", "::"};

/// A port without an address is bound for both families.
std::span<const std::string_view> addresses(const std::string_view& host_ip) {
    return host_ip.empty() ? std::span<const std::string_view>(any_address)
                           : std::span<const std::string_view>(&host_ip, 1);
}

/// The place among the 65,000 of the bridge's network; the gateway has the first.
std::uint32_t place_of(const Sandbox& sandbox) { return 2 + (sandbox.number - 1) % 65'000; }

/// In the default network; all empty elsewhere.
struct Address {
    std::string_view gateway;
    std::string ip;
    int prefix_length = 0;
    std::string mac;
};

Address address_of(const Sandbox& sandbox) {
    if (!has_address(sandbox)) {
        return {};
    }
    const std::uint32_t high = place_of(sandbox) / 256;
    const std::uint32_t low = place_of(sandbox) % 256;
    return {"172.17.0.1", fmt::format("172.17.{}.{}", high, low), 16,
            fmt::format("02:42:ac:11:{:02x}:{:02x}", high, low)};
}

}  // namespace

bool has_address(const Sandbox& sandbox) { return is_up(sandbox) && sandbox.config.is_bridged(); }

void append_port_map(std::string& json, const Sandbox& sandbox) {
    json.push_back('{');
    const Port* before = nullptr;
    for (const Port& port : sandbox.ports) {
        if (!is_up(sandbox)) {
            break;
        }
        const bool is_same =
            before != nullptr && before->inner == port.inner && before->protocol == port.protocol;
        if (!is_same) {
            json.append(before == nullptr ? "" : before->outer == 0 ? "," : "],");
            append_json(json, fmt::format("{}/{}", port.inner, port.protocol));
            json.append(port.outer == 0 ? ":null" : ":[");
        }
        const std::string_view host_ip = port.host_ip;
        for (const std::string_view ip : addresses(host_ip)) {
            if (port.outer != 0) {
                json.append(json.back() == '[' ? R"({"HostIp":)" : R"(,{"HostIp":)");
                append_json(json, ip);
                json.append(fmt::format(R"(,"HostPort":"{}"}})", port.outer));
            }
        }
        before = &port;
    }
    json.append(before != nullptr && before->outer != 0 ? "]}" : "}");
}

void append_port_list(std::string& json, const Sandbox& sandbox) {
    json.push_back('[');
    for (const Port& port : sandbox.ports) {
        const std::string_view host_ip = port.host_ip;
        for (const std::string_view ip : addresses(host_ip)) {
            if (!is_up(sandbox) || (port.outer == 0 && ip == any_address[1])) {
                continue;
            }
            json.append(json.back() == '}' ? ",{" : "{");
            if (port.outer == 0) {
                json.append(fmt::format(R"("PrivatePort":{})", port.inner));
            } else {
                json.append(R"("IP":)");
                append_json(json, ip);
                json.append(
                    fmt::format(R"(,"PrivatePort":{},"PublicPort":{})", port.inner, port.outer));
            }
            json.append(R"(,"Type":)");
            append_json(json, port.protocol);
            json.push_back('}');
        }
    }
    json.push_back(']');
}

std::string endpoint_id(const Sandbox& sandbox) {
    return is_up(sandbox) ? hex_digest({"endpoint", sandbox.id}) : std::string();
}

void append_settings_address(std::string& json, const Sandbox& sandbox) {
    const Address address = address_of(sandbox);
    fmt::format_to(std::back_inserter(json),
                   R"(,"Gateway":"{}","GlobalIPv6Address":"","GlobalIPv6PrefixLen":0,)"
                   R"("IPAddress":"{}","IPPrefixLen":{},"IPv6Gateway":"","MacAddress":"{}")",
                   address.gateway, address.ip, address.prefix_length, address.mac);
}

void append_network_address(std::string& json, const Sandbox& sandbox) {
    const Address address = address_of(sandbox);
    fmt::format_to(std::back_inserter(json),
                   R"(,"Gateway":"{}","IPAddress":"{}","IPPrefixLen":{},"IPv6Gateway":"",)"
                   R"("GlobalIPv6Address":"","GlobalIPv6PrefixLen":0,"MacAddress":"{}")",
                   address.gateway, address.ip, address.prefix_length, address.mac);
}

void append_networks(std::string& json, const Sandbox& sandbox, std::string_view endpoint) {
    const std::string_view network = network_of(sandbox.config);
    if (network.starts_with("container:")) {
        json.append("{}");
        return;
    }
    json.push_back('{');
    append_json(json, network);
    json.append(text::network_begin).push_back('"');
    if (sandbox.is_connected_once) {
        json.append(hex_digest({"network", network}));
    }
    json.append(R"(","EndpointID":")").append(endpoint).push_back('"');
    append_network_address(json, sandbox);
    json.append(R"(,"DriverOpts":null}})");
}

}  // namespace drydock::sim::docker
