// User networks, as far as they can be made and removed: a container may name one, and no more.
#include "docker/call.hpp"
#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/fields.hpp"
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

template <class Range>
bool holds(const Range& range, std::string_view text) {
    return std::find(range.begin(), range.end(), text) != range.end();
}

struct CreateNetworkBody {
    std::string name{};
    std::string driver{};
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
    fields.read("Name", read.name);
    fields.read("Driver", read.driver);
    read.driver = read.driver.empty() ? "bridge" : read.driver;
    return read;
}

std::optional<Refusal> refused_network(const CreateNetworkBody& read,
                                       const std::vector<std::string>& there) {
    if (holds(built_in, read.name)) {
        return Refusal{
            403, fmt::format("operation is not permitted on predefined {} network ", read.name)};
    }
    if (holds(there, read.name)) {
        return Refusal{409, fmt::format("network with name {} already exists", read.name)};
    }
    if (read.name.empty()) {
        return Refusal{500, "invalid name: "};
    }
    if (!holds(drivers, read.driver)) {
        return Refusal{404, fmt::format("plugin \"{}\" not found", read.driver)};
    }
    return std::nullopt;
}

std::string id_of(std::string_view network) { return hex_digest({"network", network}); }

EventDetails details_of(const std::string& name, const std::string& driver) {
    return {.id = id_of(name), .attributes = {{"name", name}, {"type", driver}}};
}

}  // namespace

void DockerModel::network(const docker::Call& call, const Exchange& exchange) {
    if (call.request->method == Method::post) {
        return create_network(call, exchange);
    }
    const std::string& name = call.reference;
    const auto& there = engine_.networks();
    const auto at = std::find_if(there.begin(), there.end(), [&](const std::string& one) {
        return one == name || id_of(one) == name;
    });
    if (holds(built_in, name)) {
        return exchange.reply(docker::error_answer(
            403, fmt::format("{} is a pre-defined network and cannot be removed", name)));
    }
    if (at == there.end()) {
        return exchange.reply(docker::error_answer(404, fmt::format("network {} not found", name)));
    }
    const std::string& found = *at;
    for (const Sandbox* sandbox : engine_.list()) {
        const bool is_up = sandbox->status == Status::running || sandbox->status == Status::paused;
        if (is_up && sandbox->config.network_mode == found) {
            return exchange.reply(docker::error_answer(
                403, fmt::format("error while removing network: network {} id {} has active "
                                 "endpoints",
                                 found, id_of(found))));
        }
    }
    const auto details = details_of(found, "bridge");
    engine_.remove_network(std::string(found));  // which ends what `found` is in
    exchange.responder->applied();
    engine_.announce_other("network", "destroy", details);
    exchange.reply(docker::answer(204));
}

void DockerModel::create_network(const docker::Call& call, const Exchange& exchange) {
    CreateNetworkBody read = read_create_network(*call.request);
    if (!read.refusal) {
        read.refusal = refused_network(read, engine_.networks());
    }
    if (read.refusal) {
        return exchange.reply(docker::error_answer(read.refusal->status, read.refusal->message));
    }
    engine_.add_network(read.name);
    exchange.responder->applied();
    engine_.announce_other("network", "create", details_of(read.name, read.driver));
    exchange.reply(
        docker::answer(201, fmt::format("{{\"Id\":\"{}\",\"Warning\":\"\"}}\n", id_of(read.name))));
}

}  // namespace drydock::sim
