// Named volumes: made, shown and removed.
#include "docker/volumes.hpp"

#include "docker/call.hpp"
#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/fields.hpp"
#include "docker/filters.hpp"
#include "docker/json_parts.hpp"
#include "docker/mount_spec.hpp"
#include "docker/mounts.hpp"
#include "engine/holds.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace drydock::sim {
namespace docker {

std::string mount_point_of(std::string_view volume) {
    return fmt::format("/var/lib/docker/volumes/{}/_data", volume);
}

}  // namespace docker

namespace {

using docker::Refusal;
using docker::Volume;
using nlohmann::json;

constexpr std::array<std::string_view, 4> volume_filters = {"dangling", "driver", "label", "name"};
constexpr std::array<std::string_view, 4> known_options = {"device", "o", "size", "type"};

void append_volume(std::string& text, std::string_view name, const Volume& volume,
                   const SandboxEngine& engine) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(engine.wall_at(volume.made));
    text.append(R"({"CreatedAt":)");
    docker::append_time(text, seconds);
    text.append(R"(,"Driver":"local","Labels":)").append(volume.labels_text);
    text.append(R"(,"Mountpoint":)");
    docker::append_json(text, docker::mount_point_of(name));
    text.append(R"(,"Name":)");
    docker::append_json(text, name);
    text.append(R"(,"Options":)").append(volume.options_text).append(R"(,"Scope":"local"})");
}

/// The ids of the containers that have it, as Go prints a list.
std::string users_of(std::string_view name, SandboxEngine& engine) {
    std::string users;
    for (const Sandbox* sandbox : engine.list()) {
        if (docker::has_mount(*sandbox, name)) {
            users.append(users.empty() ? "" : ", ").append(sandbox->id);
        }
    }
    return users;
}

bool has_label(const Volume& volume, const std::string& wanted) {
    const std::size_t equals = std::min(wanted.find('='), wanted.size());
    return std::any_of(volume.labels.begin(), volume.labels.end(), [&](const auto& label) {
        return label.first == wanted.substr(0, equals) &&
               (equals == wanted.size() || label.second == wanted.substr(equals + 1));
    });
}

bool passes(const docker::Filters& filters, const std::string& name, const Volume& volume,
            SandboxEngine& engine) {
    return std::all_of(filters.values.begin(), filters.values.end(), [&](const auto& filter) {
        const auto one = [&](const std::string& value) {
            if (filter.first == "label") {
                return has_label(volume, value);
            }
            if (filter.first == "name") {
                return name.find(value) != std::string::npos;
            }
            if (filter.first == "driver") {
                return value == "local";
            }
            return users_of(name, engine).empty() == (value == "true" || value == "1");
        };
        return filter.first == "label"
                   ? std::all_of(filter.second.begin(), filter.second.end(), one)
                   : std::any_of(filter.second.begin(), filter.second.end(), one);
    });
}

struct CreateVolumeBody {
    std::string name{};
    Volume volume{};
    std::optional<Refusal> refusal{};
};

std::optional<Refusal> refused_volume(const std::string& name, const std::string& driver,
                                      const json& options) {
    if (!driver.empty() && driver != "local") {
        return Refusal{404, fmt::format("create {}: error looking up volume plugin {}: plugin "
                                        "\"{}\" not found",
                                        name, driver, driver)};
    }
    Mount mount;
    mount.type = "volume";
    mount.name = name;
    if (std::string why = docker::why_no_volume(mount); !why.empty()) {
        return Refusal{400, std::move(why)};
    }
    for (const auto& [key, value] : options.items()) {
        if (!holds(known_options, key)) {
            return Refusal{400, fmt::format("create {}: invalid option: \"{}\"", name, key)};
        }
    }
    return std::nullopt;
}

CreateVolumeBody read_create_volume(const Request& request) {
    CreateVolumeBody read;
    read.refusal = docker::refused_content_type(request.content_type);
    const json parsed = json::parse(request.body, nullptr, false);
    if (!read.refusal && !parsed.is_object()) {
        read.refusal = Refusal{400, request.body.empty() ? "EOF" : "unexpected EOF"};
    }
    if (read.refusal) {
        return read;
    }
    docker::Fields fields(parsed, "VolumeCreateBody.", read.refusal);
    std::string driver;
    fields.read("Name", read.name);
    fields.read("Driver", driver);
    if (const json* labels = fields.find_object("Labels", "map[string]string")) {
        read.volume.labels_text = labels->dump();
        for (const auto& [key, value] : labels->items()) {
            read.volume.labels.emplace_back(key, value.is_string() ? value.get<std::string>() : "");
        }
    }
    const json* options = fields.find_object("DriverOpts", "map[string]string");
    if (options != nullptr && !options->empty()) {
        read.volume.options_text = options->dump();
    }
    if (!read.refusal) {
        read.refusal =
            refused_volume(read.name, driver, options == nullptr ? json::object() : *options);
    }
    return read;
}

}  // namespace

void DockerModel::add_volume(const std::string& name, const docker::Volume& volume) {
    if (volumes_.emplace(name, volume).second) {
        engine_.announce_other("volume", "create",
                               {.id = name, .attributes = {{"driver", "local"}}});
    }
}

void DockerModel::add_volumes_of(const Sandbox& sandbox) {
    for (const Mount& mount : sandbox.config.mounts) {
        if (mount.type == "volume" && !mount.name.empty()) {
            add_volume(mount.name, {.made = engine_.world().now()});
        }
    }
}

void DockerModel::volume(const docker::Call& call, const Exchange& exchange) {
    const Method method = call.request->method;
    if (method == Method::post) {
        return call.reference == "create" ? create_volume(call, exchange) : prune_volumes(exchange);
    }
    if (method == Method::del) {
        return remove_volume(call, exchange);
    }
    if (call.reference.empty()) {
        return list_volumes(call, exchange);
    }
    const auto at = volumes_.find(call.reference);
    if (at == volumes_.end()) {
        return exchange.reply(
            docker::error_answer(404, fmt::format("get {}: no such volume", call.reference)));
    }
    std::string body;
    append_volume(body, at->first, at->second, engine_);
    exchange.reply(docker::answer(200, body + "\n"));
}

void DockerModel::list_volumes(const docker::Call& call, const Exchange& exchange) {
    const docker::Filters filters = docker::read_filters(call.parameter("filters"));
    if (!filters.error.empty()) {
        return exchange.reply(docker::error_answer(500, filters.error));
    }
    for (const auto& [key, values] : filters.values) {
        if (!holds(volume_filters, key)) {
            return exchange.reply(docker::error_answer(400, "Invalid filter '" + key + "'"));
        }
    }
    std::string body = R"({"Volumes":[)";
    for (const auto& [name, one] : volumes_) {
        if (passes(filters, name, one, engine_)) {
            body.append(body.back() == '}' ? "," : "");
            append_volume(body, name, one, engine_);
        }
    }
    exchange.reply(docker::answer(200, body + "],\"Warnings\":null}\n"));
}

void DockerModel::create_volume(const docker::Call& call, const Exchange& exchange) {
    CreateVolumeBody read = read_create_volume(*call.request);
    if (read.refusal) {
        return exchange.reply(docker::error_answer(read.refusal->status, read.refusal->message));
    }
    if (read.name.empty()) {
        read.name = hex_digest({"anonymous volume", std::to_string(++anonymous_volumes_)});
    }
    read.volume.made = engine_.world().now();
    add_volume(read.name, read.volume);
    exchange.responder->applied();
    std::string body;
    append_volume(body, read.name, volumes_.find(read.name)->second, engine_);
    exchange.reply(docker::answer(201, body + "\n"));
}

void DockerModel::remove_volume(const docker::Call& call, const Exchange& exchange) {
    const std::string& name = call.reference;
    const auto at = volumes_.find(name);
    if (at == volumes_.end() && !call.flag("force")) {
        return exchange.reply(
            docker::error_answer(404, fmt::format("get {}: no such volume", name)));
    }
    if (const std::string users = users_of(name, engine_); !users.empty()) {
        return exchange.reply(docker::error_answer(
            409, fmt::format("remove {}: volume is in use - [{}]", name, users)));
    }
    if (at != volumes_.end()) {
        volumes_.erase(at);
        exchange.responder->applied();
        engine_.announce_other("volume", "destroy",
                               {.id = name, .attributes = {{"driver", "local"}}});
    }
    exchange.reply(docker::answer(204));
}

void DockerModel::prune_volumes(const Exchange& exchange) {
    std::vector<std::string> names;
    for (const auto& [name, one] : volumes_) {
        if (users_of(name, engine_).empty()) {
            names.push_back(name);
        }
    }
    for (const std::string& name : names) {
        volumes_.erase(name);
        engine_.announce_other("volume", "destroy",
                               {.id = name, .attributes = {{"driver", "local"}}});
    }
    std::string body = R"({"VolumesDeleted":)";
    docker::append_list_or_null(body, names);
    exchange.reply(docker::answer(200, body + ",\"SpaceReclaimed\":0}\n"));
}

}  // namespace drydock::sim
