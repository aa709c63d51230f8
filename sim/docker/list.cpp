#include "docker/answers.hpp"
#include "docker/health.hpp"
#include "docker/json_parts.hpp"
#include "docker/mounts.hpp"
#include "docker/network_parts.hpp"

#include <fmt/format.h>

namespace drydock::sim::docker {
namespace {

/// As `docker ps` shows it: arguments with blanks in single quotes.
std::string command_line(const SandboxConfig& config) {
    std::string line;
    for (const std::string& word : config.argv()) {
        const bool is_quoted = !line.empty() && word.find(' ') != std::string::npos;
        if (!line.empty()) {
            line.push_back(' ');
        }
        line.append(is_quoted ? "'" + word + "'" : word);
    }
    return line;
}

/// A container whose removal failed is still listed as being removed (recorded: 27_remove_fails).
Status listed_status(const Sandbox& sandbox) {
    return sandbox.status == Status::dead && sandbox.removal_failed ? Status::removing
                                                                    : sandbox.status;
}

std::string health_text(const Sandbox& sandbox, Time now) {
    const auto health = health_of(sandbox, now);
    if (!health) {
        return {};
    }
    return fmt::format(" ({}{})", health->status == "starting" ? "health: " : "", health->status);
}

std::string status_text(const Sandbox& sandbox, Time now) {
    switch (listed_status(sandbox)) {
        case Status::running:
            return "Up " + human_duration(now - sandbox.started) + health_text(sandbox, now);
        case Status::paused: return "Up " + human_duration(now - sandbox.started) + " (Paused)";
        case Status::restarting:
            return fmt::format("Restarting ({}) {} ago", sandbox.exit_code,
                               human_duration(now - sandbox.created));
        case Status::exited:
            return fmt::format("Exited ({}) {} ago", sandbox.exit_code,
                               human_duration(now - sandbox.finished));
        case Status::created: return "Created";
        case Status::removing:
        case Status::destroying: return "Removal In Progress";
        case Status::dead: return "Dead";
        case Status::creating: return "Creating";
        case Status::starting: return "Starting";
        case Status::error: return "Error";
    }
    return {};
}

}  // namespace

void append_labels(std::string& json, const SandboxConfig& config) {
    json.push_back('{');
    for (const auto& [key, value] : config.labels) {
        if (json.back() != '{') {
            json.push_back(',');
        }
        append_json(json, key);
        json.push_back(':');
        append_json(json, value);
    }
    json.push_back('}');
}

void append_list_entry(std::string& body, const Sandbox& sandbox, const SandboxEngine& engine,
                       bool with_size) {
    body.append(R"({"Id":")").append(sandbox.id).append(R"(","Names":[)");
    append_json(body, "/" + sandbox.name);
    body.append(R"(],"Image":)");
    append_json(body, sandbox.config.image);
    body.append(R"(,"ImageID":)");
    append_json(body, image_id(sandbox.config.image));
    body.append(R"(,"Command":)");
    append_json(body, command_line(sandbox.config));
    const auto created = engine.wall_at(sandbox.created).time_since_epoch();
    body.append(R"(,"Created":)").append(std::to_string(created / std::chrono::seconds(1)));
    body.append(R"(,"Ports":)");
    append_port_list(body, sandbox);
    if (with_size) {
        body.append(R"(,"SizeRootFs":1982353)");
    }
    body.append(R"(,"Labels":)");
    append_labels(body, sandbox.config);
    body.append(R"(,"State":")").append(name(listed_status(sandbox)));
    body.append(R"(","Status":)");
    append_json(body, status_text(sandbox, engine.world().now()));
    body.append(R"(,"HostConfig":{"NetworkMode":)");
    append_json(body, sandbox.config.network_mode);
    body.append(R"(},"NetworkSettings":{"Networks":)");
    append_networks(body, sandbox, endpoint_id(sandbox));
    body.append(R"(},"Mounts":)");
    append_mounts(body, sandbox);
    body.push_back('}');
}

}  // namespace drydock::sim::docker
