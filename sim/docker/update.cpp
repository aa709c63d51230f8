// Calls that change or compare a container without touching its run: resize, update, changes.
#include "docker/call.hpp"
#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/fields.hpp"
#include "docker/number.hpp"
#include "docker/options.hpp"
#include "engine/files.hpp"
#include "engine/task.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace drydock::sim {
namespace {

using docker::Refusal;
using nlohmann::json;

/// The body of an update: a HostConfig, of which only limits and restart policy count.
struct UpdateBody {
    json host;
    std::optional<Refusal> refusal{};
};

UpdateBody read_update(const Request& request) {
    if (auto refusal = docker::refused_content_type(request.content_type)) {
        return {{}, std::move(refusal)};
    }
    json parsed = json::parse(request.body, nullptr, false);
    if (!parsed.is_object()) {
        return {{}, Refusal{500, request.body.empty() ? "EOF" : "unexpected EOF"}};
    }
    return {std::move(parsed)};
}

bool names_policy(const json& host) {
    const auto policy = host.find("RestartPolicy");
    return policy != host.end() && policy->is_object() && !policy->value("Name", "").empty();
}

/// The limits of a create, with those of the update in their place.
std::string merged_options(const std::string& before, const std::string& update) {
    if (update.empty()) {
        return before;
    }
    json merged = before.empty() ? json::object() : json::parse(before);
    merged.update(json::parse(update));
    return merged.dump();
}

std::optional<Refusal> why_not_updated(const Sandbox& sandbox, const json& host) {
    if (auto refusal = docker::refused_host_config(host)) {
        return refusal;
    }
    const auto refuse = [&](std::string_view why) {
        return Refusal{409, fmt::format("Cannot update container {}: {}", sandbox.id, why)};
    };
    if (sandbox.status == Status::removing || sandbox.status == Status::dead) {
        return refuse("Container is marked for removal and cannot be \"update\".");
    }
    if (names_policy(host) && sandbox.config.auto_remove) {
        return refuse(
            "Restart policy cannot be updated because AutoRemove is enabled for the "
            "container");
    }
    return std::nullopt;
}

}  // namespace

void DockerModel::update(const docker::Call& call, const Exchange& exchange) {
    const UpdateBody body = read_update(*call.request);
    const auto refuse = [&](const Refusal& refusal) {
        exchange.reply(docker::error_answer(refusal.status, refusal.message));
    };
    if (body.refusal) {
        return refuse(*body.refusal);
    }
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(found, call.reference);
    }
    if (const auto refusal = why_not_updated(*found.sandbox, body.host)) {
        return refuse(*refusal);
    }
    docker::CreateBody read;
    docker::read_host_options(body.host, read);
    if (read.refusal) {
        return refuse(*read.refusal);
    }
    SandboxConfig config = found.sandbox->config;
    config.host_options = merged_options(config.host_options, read.config.host_options);
    if (names_policy(body.host)) {
        docker::read_restart_policy(body.host, config);
    }
    engine_.update(*found.sandbox, std::move(config));
    exchange.responder->applied();
    exchange.reply(docker::answer(200, "{\"Warnings\":null}\n"));
}

void DockerModel::resize(const docker::Call& call, const Exchange& exchange) {
    const docker::Number rows = docker::whole_number(call.parameter("h"));
    const docker::Number columns = docker::whole_number(call.parameter("w"));
    for (const std::string& error : {rows.error, columns.error}) {
        if (!error.empty()) {
            return exchange.reply(docker::error_answer(400, error));
        }
    }
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(found, call.reference);
    }
    const Sandbox& sandbox = *found.sandbox;
    if (sandbox.status != Status::running && sandbox.status != Status::paused) {
        return exchange.reply(Outcome{.verdict = Verdict::not_running, .id = sandbox.id},
                              call.reference);
    }
    Tasks& tasks = engine_.tasks(sandbox.number);
    if (Task* const first = sandbox.config.tty ? tasks.find(1) : nullptr) {
        tasks.resize(*first, static_cast<int>(rows.value), static_cast<int>(columns.value));
    }
    engine_.announce(sandbox, "resize",
                     {.attributes = {{"height", std::to_string(rows.value)},
                                     {"width", std::to_string(columns.value)}}});
    exchange.reply(docker::answer(200));
}

// Kinds: 0 is changed, 1 new, 2 gone.
void DockerModel::changes(const docker::Call& call, const Exchange& exchange) {
    const Files* const files = engine_.files(call.reference);
    if (files == nullptr) {
        return exchange.reply(Outcome{.verdict = Verdict::no_such_sandbox}, call.reference);
    }
    std::string body;
    for (const auto& [path, inode] : files->root().changes()) {
        const int kind = !inode ? 2 : files->root().base().contains(path) ? 0 : 1;
        body.append(body.empty() ? "[" : ",").append(R"({"Path":)");
        docker::append_json(body, path);
        body.append(fmt::format(R"(,"Kind":{}}})", kind));
    }
    exchange.reply(docker::answer(200, body.empty() ? "null\n" : body + "]\n"));
}

}  // namespace drydock::sim
