// Exec, logs and attach: refused as recorded; what runs inside a container is not modelled.
#include "docker/call.hpp"
#include "docker/exchange.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace drydock::sim {
namespace {

using docker::Call;

bool has_command(const Request& request) {
    const nlohmann::json body = nlohmann::json::parse(request.body, nullptr, false);
    if (!body.is_object()) {
        return false;
    }
    const auto command = body.find("Cmd");
    return command != body.end() && command->is_array() && !command->empty();
}

/// What is wrong with the call itself, before the container is looked at.
std::optional<Response> malformed(const Call& call) {
    if (call.route == Call::Route::exec) {
        const bool is_json = nlohmann::json::accept(call.request->body);
        if (!is_json) {
            return docker::error_answer(400, call.request->body.empty() ? "EOF" : "unexpected EOF");
        }
        if (!has_command(*call.request)) {
            return docker::error_answer(400, "No exec command specified");
        }
    }
    const bool takes_none = !call.flag("stdout") && !call.flag("stderr");
    if (call.route == Call::Route::logs && takes_none) {
        return docker::error_answer(400, "Bad parameters: you must choose at least one stream");
    }
    return std::nullopt;
}

/// Why the container's state refuses it.
std::string state_refusal(const Call& call, const Sandbox& sandbox) {
    const std::string_view what = call.route == Call::Route::exec ? "exec" : "attach";
    if (call.route == Call::Route::logs) {
        return {};
    }
    if (sandbox.status == Status::paused) {
        return fmt::format("Container {} is paused, unpause the container before {}", sandbox.name,
                           what);
    }
    if (sandbox.status == Status::restarting) {
        return fmt::format("Container {} is restarting, wait until the container is running",
                           sandbox.id);
    }
    const bool needs_run = call.route == Call::Route::exec;
    return needs_run && sandbox.status != Status::running
               ? fmt::format("Container {} is not running", sandbox.id)
               : std::string();
}

/// The errors of routes that take the connection over are plain text.
Response error_of(const Call& call, int status, const std::string& message) {
    if (call.route != Call::Route::attach) {
        return docker::error_answer(status, message);
    }
    Response response;
    response.status = status;
    response.headers = {{"Content-Type", "application/vnd.docker.raw-stream"}};
    response.body = message + "\r\n";
    return response;
}

}  // namespace

void DockerModel::refuse_stream(const docker::Call& call, const Exchange& exchange) {
    if (auto refusal = malformed(call)) {
        return exchange.reply(std::move(*refusal));
    }
    const Outcome found = engine_.inspect(call.reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(error_of(call, 404, "No such container: " + call.reference));
    }
    if (const std::string why = state_refusal(call, *found.sandbox); !why.empty()) {
        return exchange.reply(error_of(call, 409, why));
    }
    exchange.reply(error_of(call, 501, "what runs in a container is not modelled"));
}

}  // namespace drydock::sim
