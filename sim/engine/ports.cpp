#include <drydock/sim/engine.hpp>

#include "engine/identity.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace drydock::sim {
namespace {

constexpr std::uint16_t first_chosen = 32768;
constexpr std::uint16_t last_chosen = 60999;

struct Range {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
};

std::uint16_t number(std::string_view text) {
    std::uint16_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// "8080", "8080-8090", or nothing: any that the engine likes.
Range range_of(std::string_view text) {
    if (text.empty() || text == "0") {
        return {first_chosen, last_chosen};
    }
    const std::size_t dash = text.find('-');
    const std::uint16_t first = number(text.substr(0, dash));
    return {first, dash == std::string_view::npos ? first : number(text.substr(dash + 1))};
}

/// Of "80/tcp".
Port inner_port(std::string_view text) {
    const std::size_t slash = text.find('/');
    Port port;
    port.inner = number(text.substr(0, slash));
    port.protocol = text.substr(slash + 1);
    return port;
}

bool is_any(std::string_view ip) { return ip.empty() || ip == "0.0.0.0" || ip == "::"; }

bool holds(const std::vector<Port>& ports, const Port& wanted) {
    return std::any_of(ports.begin(), ports.end(), [&wanted](const Port& port) {
        return port.outer == wanted.outer && port.protocol == wanted.protocol &&
               (is_any(port.host_ip) || is_any(wanted.host_ip) || port.host_ip == wanted.host_ip);
    });
}

using Wanted = std::map<std::string, std::vector<PortBinding>, std::less<>>;

/// "80" is "80/tcp".
std::string with_protocol(const std::string& port) {
    return port.find('/') == std::string::npos ? port + "/tcp" : port;
}

/// As recorded: the higher of two host ports comes first.
bool is_higher(const PortBinding& a, const PortBinding& b) {
    return range_of(a.host_port).first > range_of(b.host_port).first;
}

Wanted wanted_ports(const SandboxConfig& config) {
    Wanted wanted;
    for (const std::string& port : config.exposed_ports) {
        wanted[with_protocol(port)];
    }
    for (const PortBinding& binding : config.port_bindings) {
        std::vector<PortBinding>& bindings = wanted[with_protocol(binding.port)];
        bindings.insert(std::upper_bound(bindings.begin(), bindings.end(), binding, is_higher),
                        binding);
    }
    for (auto& [port, bindings] : wanted) {
        if (bindings.empty() && config.publishes_all) {
            bindings.push_back({port, {}, {}});
        }
    }
    return wanted;
}

std::string why_not_bound(const Sandbox& sandbox, const PortBinding& binding) {
    std::string why = "driver failed programming external connectivity on endpoint ";
    why.append(sandbox.name).append(" (").append(hex_digest({"endpoint", sandbox.id}));
    const Range range = range_of(binding.host_port);
    if (range.first != range.last) {
        return why + "): all ports are allocated";
    }
    why.append("): Bind for ").append(binding.host_ip.empty() ? "0.0.0.0" : binding.host_ip);
    return why + ":" + binding.host_port + " failed: port is already allocated";
}

}  // namespace

bool SandboxEngine::bind_port(Port& port, const PortBinding& binding,
                              const std::vector<Port>& own) const {
    const Range range = range_of(binding.host_port);
    port.host_ip = binding.host_ip;
    for (std::uint32_t outer = range.first; outer <= range.last; ++outer) {
        port.outer = static_cast<std::uint16_t>(outer);
        const bool is_taken =
            holds(own, port) ||
            std::any_of(sandboxes_.begin(), sandboxes_.end(),
                        [&](const auto& one) { return is_up(*one) && holds(one->ports, port); });
        if (!is_taken) {
            return true;
        }
    }
    return false;
}

std::string SandboxEngine::bind_ports(Sandbox& sandbox) const {
    const SandboxConfig& config = sandbox.config;
    const bool has_none = config.exposed_ports.empty() && config.port_bindings.empty();
    if (has_none || !config.is_bridged()) {
        return {};
    }
    std::vector<Port> ports;
    for (const auto& [text, bindings] : wanted_ports(config)) {
        Port port = inner_port(text);
        if (port.inner == 0) {
            continue;
        }
        if (bindings.empty()) {
            ports.push_back(port);
        }
        for (const PortBinding& binding : bindings) {
            if (!bind_port(port, binding, ports)) {
                return why_not_bound(sandbox, binding);
            }
            ports.push_back(port);
        }
    }
    sandbox.ports = std::move(ports);
    return {};
}

}  // namespace drydock::sim
