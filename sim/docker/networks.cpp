// Networks, as far as they can be made, shown and removed: a container may name one, and no more.
#include "docker/call.hpp"
#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/fields.hpp"
#include "docker/filters.hpp"
#include "engine/holds.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::sim {
namespace {

using docker::Refusal;
using nlohmann::json;

constexpr std::array<std::string_view, 3> built_in = {"bridge", "host", "none"};
constexpr std::array<std::string_view, 6> drivers = {"bridge",  "host",    "ipvlan",
                                                     "macvlan", "overlay", "null"};

/// Of a list; the engine knows some more.
constexpr std::array<std::string_view, 4> network_filters = {"driver", "id", "label", "name"};

using Networks = std::map<std::string, docker::Network, std::less<>>;

std::string id_of(std::string_view network) { return hex_digest({"network", network}); }

EventDetails details_of(const std::string& name, const std::string& driver) {
    return {.id = id_of(name), .attributes = {{"name", name}, {"type", driver}}};
}

/// The engine's own and those of clients.
Networks with_built_in(const Networks& networks) {
    Networks all = networks;
    all["bridge"] = {};
    all["host"] = {.driver = "host"};
    all["none"] = {.driver = "null"};
    return all;
}

Networks::const_iterator by_name_or_id(const Networks& networks, std::string_view reference) {
    return std::find_if(networks.begin(), networks.end(), [reference](const auto& one) {
        return one.first == reference || id_of(one.first) == reference;
    });
}

/// Who is connected, addresses and options are not told.
void append_network(std::string& text, const std::string& name, const docker::Network& network,
                    const SandboxEngine& engine) {
    text.append(R"({"Name":)");
    docker::append_json(text, name);
    text.append(R"(,"Id":")").append(id_of(name)).append(R"(","Created":)");
    docker::append_time(text, engine.wall_at(network.made));
    text.append(fmt::format(
        R"(,"Scope":"local","Driver":"{}","EnableIPv6":false,"IPAM":{{"Driver":"default",)"
        R"("Options":null,"Config":[]}},"Internal":false,"Attachable":false,"Ingress":false,)"
        R"("ConfigFrom":{{"Network":""}},"ConfigOnly":false,"Containers":{{}},"Options":{{}},)"
        R"("Labels":{}}})",
        network.driver, network.labels_text));
}

bool has_label(const docker::Network& network, const std::string& wanted) {
    const std::size_t equals = std::min(wanted.find('='), wanted.size());
    const json labels = json::parse(network.labels_text);
    const auto at = labels.find(wanted.substr(0, equals));
    return at != labels.end() && (equals == wanted.size() || *at == wanted.substr(equals + 1));
}

bool passes(const docker::Filters& filters, const std::string& name,
            const docker::Network& network) {
    return std::all_of(filters.values.begin(), filters.values.end(), [&](const auto& filter) {
        const auto one = [&](const std::string& value) {
            if (filter.first == "name") {
                return name.find(value) != std::string::npos;
            }
            if (filter.first == "id") {
                return id_of(name).starts_with(value);
            }
            return filter.first == "driver" ? network.driver == value : has_label(network, value);
        };
        return std::any_of(filter.second.begin(), filter.second.end(), one);
    });
}

struct CreateNetworkBody {
    std::string name{};
    docker::Network network{};
    std::optional<Refusal> refusal{};
};

CreateNetworkBody read_create_network(const Request& request) {
    CreateNetworkBody read;
    read.refusal = docker::refused_content_type(request.content_type);
    const json parsed = json::parse(request.body, nullptr, false);
    if (!read.refusal && !parsed.is_object()) {
        read.refusal = Refusal{400, request.body.empty() ? "EOF" : "unexpected EOF"};
    }
    if (read.refusal) {
        return read;
    }
    docker::Fields fields(parsed, "NetworkCreateRequest.", read.refusal);
    std::string driver;
    fields.read("Name", read.name);
    fields.read("Driver", driver);
    read.network.driver = driver.empty() ? "bridge" : driver;
    if (const json* labels = fields.find_object("Labels", "map[string]string")) {
        read.network.labels_text = labels->dump();
    }
    return read;
}

std::optional<Refusal> refused_network(const CreateNetworkBody& read, const Networks& there) {
    if (holds(built_in, read.name)) {
        return Refusal{
            403, fmt::format("operation is not permitted on predefined {} network ", read.name)};
    }
    if (there.contains(read.name)) {
        return Refusal{409, fmt::format("network with name {} already exists", read.name)};
    }
    if (read.name.empty()) {
        return Refusal{500, "invalid name: "};
    }
    if (!holds(drivers, read.network.driver)) {
        return Refusal{404, fmt::format("plugin \"{}\" not found", read.network.driver)};
    }
    return std::nullopt;
}

}  // namespace

void DockerModel::network(const docker::Call& call, const Exchange& exchange) {
    if (call.request->method == Method::post) {
        return create_network(call, exchange);
    }
    if (call.request->method == Method::del) {
        return remove_network(call, exchange);
    }
    if (call.reference.empty()) {
        return list_networks(call, exchange);
    }
    const Networks all = with_built_in(networks_);
    const auto at = by_name_or_id(all, call.reference);
    if (at == all.end()) {
        return exchange.reply(
            docker::error_answer(404, fmt::format("network {} not found", call.reference)));
    }
    std::string body;
    append_network(body, at->first, at->second, engine_);
    exchange.reply(docker::answer(200, body + "\n"));
}

void DockerModel::list_networks(const docker::Call& call, const Exchange& exchange) {
    const docker::Filters filters = docker::read_filters(call.parameter("filters"));
    if (!filters.error.empty()) {
        return exchange.reply(docker::error_answer(500, filters.error));
    }
    for (const auto& [key, values] : filters.values) {
        if (!holds(network_filters, key)) {
            return exchange.reply(docker::error_answer(400, "Invalid filter '" + key + "'"));
        }
    }
    std::string body = "[";
    for (const auto& [name, one] : with_built_in(networks_)) {
        if (passes(filters, name, one)) {
            body.append(body.back() == '}' ? "," : "");
            append_network(body, name, one, engine_);
        }
    }
    exchange.reply(docker::answer(200, body + "]\n"));
}

void DockerModel::remove_network(const docker::Call& call, const Exchange& exchange) {
    if (holds(built_in, call.reference)) {
        return exchange.reply(docker::error_answer(
            403, fmt::format("{} is a pre-defined network and cannot be removed", call.reference)));
    }
    const auto at = by_name_or_id(networks_, call.reference);
    if (at == networks_.end()) {
        return exchange.reply(
            docker::error_answer(404, fmt::format("network {} not found", call.reference)));
    }
    const std::string& name = at->first;
    for (const Sandbox* sandbox : engine_.list()) {
        if (is_up(*sandbox) && sandbox->config.network_mode == name) {
            return exchange.reply(docker::error_answer(
                403, fmt::format("error while removing network: network {} id {} has active "
                                 "endpoints",
                                 name, id_of(name))));
        }
    }
    engine_.remove_network(name);
    exchange.responder->applied();
    engine_.announce_other("network", "destroy", details_of(name, at->second.driver));
    networks_.erase(at);
    exchange.reply(docker::answer(204));
}

void DockerModel::create_network(const docker::Call& call, const Exchange& exchange) {
    CreateNetworkBody read = read_create_network(*call.request);
    if (!read.refusal) {
        read.refusal = refused_network(read, networks_);
    }
    if (read.refusal) {
        return exchange.reply(docker::error_answer(read.refusal->status, read.refusal->message));
    }
    engine_.add_network(read.name);
    read.network.made = engine_.world().now();
    networks_.emplace(read.name, read.network);
    exchange.responder->applied();
    engine_.announce_other("network", "create", details_of(read.name, read.network.driver));
    exchange.reply(
        docker::answer(201, fmt::format("{{\"Id\":\"{}\",\"Warning\":\"\"}}\n", id_of(read.name))));
}

}  // namespace drydock::sim
