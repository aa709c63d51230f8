#include "docker/answers.hpp"

#include "docker/create_body.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>

#include <utility>

namespace drydock::sim::docker {

Response answer(int status, std::string body) {
    Response response;
    response.status = status;
    response.headers.reserve(2);
    response.headers.push_back({"Api-Version", "1.41"});
    if (!body.empty()) {
        response.headers.push_back({"Content-Type", "application/json"});
    }
    response.body = std::move(body);
    return response;
}

Response error_answer(int status, std::string_view message) {
    std::string body = R"({"message":)";
    append_json(body, message);
    body.append("}\n");
    return answer(status, std::move(body));
}

Response no_such_route() {
    Response response = error_answer(404, "page not found");
    std::erase_if(response.headers,
                  [](const Header& header) { return header.name == "Api-Version"; });
    return response;
}

Response text_answer(int status, std::string text) {
    Response response;
    response.status = status;
    response.headers = {{"Api-Version", "1.41"}, {"Content-Type", "text/plain; charset=utf-8"}};
    response.body = std::move(text);
    return response;
}

Response created_answer(std::string_view id, bool warns_of_ports) {
    constexpr std::string_view warning =
        R"("Published ports are discarded when using host network mode")";
    std::string body;
    body.reserve(96);
    body.append(R"({"Id":")").append(id).append("\",\"Warnings\":[");
    body.append(warns_of_ports ? warning : std::string_view()).append("]}\n");
    return answer(201, std::move(body));
}

namespace {

/// The status and text of a refusal; status 0 for what is none.
std::pair<int, std::string> refusal_of(const Outcome& outcome, std::string_view reference) {
    const std::string& id = outcome.id;
    switch (outcome.verdict) {
        case Verdict::done:
        case Verdict::unchanged: break;
        case Verdict::no_such_sandbox:
            return {404, fmt::format("No such container: {}", reference)};
        case Verdict::name_taken:
            return {409, fmt::format("Conflict. The container name \"/{}\" is already in use by "
                                     "container \"{}\". You have to remove (or rename) that "
                                     "container to be able to reuse that name.",
                                     reference, id)};
        case Verdict::state_changing: return {409, "Sandbox state change in progress"};
        case Verdict::removal_in_progress:
            return {409, fmt::format("removal of container {} is already in progress", reference)};
        case Verdict::marked_for_removal:
            return {409, "container is marked for removal and cannot be started"};
        case Verdict::still_running:
            return {409, fmt::format("You cannot remove a running container {}. Stop the container "
                                     "before attempting removal or force remove",
                                     id)};
        case Verdict::still_paused:
            return {409, fmt::format("You cannot remove a paused container {}. Unpause and then "
                                     "stop the container before attempting removal or force remove",
                                     id)};
        case Verdict::still_restarting:
            return {409, fmt::format("You cannot remove a restarting container {}. Stop the "
                                     "container before attempting removal or force remove",
                                     id)};
        case Verdict::is_paused:
            return {409, "cannot start a paused container, try unpause instead"};
        case Verdict::not_running: return {409, fmt::format("Container {} is not running", id)};
        case Verdict::already_paused:
            return {409, fmt::format("Container {} is already paused", id)};
        case Verdict::not_paused: return {500, fmt::format("Container {} is not paused", id)};
        case Verdict::is_restarting:
            return {409, fmt::format("Container {} is restarting, wait until the container is "
                                     "running",
                                     id)};
        case Verdict::same_name:
            return {400, "Renaming a container with the same name as its current name"};
        case Verdict::cannot_start: return {400, outcome.text};
        case Verdict::cannot_set_up: return {500, outcome.text};
        case Verdict::no_network: return {404, outcome.text};
        case Verdict::network_down: return {409, outcome.text};
        case Verdict::removal_failed: return {500, outcome.text};
    }
    return {0, {}};
}

}  // namespace

Response outcome_answer(const Outcome& outcome, std::string_view reference,
                        std::string_view error_prefix) {
    const auto [status, message] = refusal_of(outcome, reference);
    if (status != 0) {
        return error_answer(status, std::string(error_prefix) + message);
    }
    return answer(outcome.verdict == Verdict::unchanged ? 304 : 204);
}

Response chosen_answer(int status) {
    switch (status) {
        case 204:
        case 304: return answer(status);
        case 400: return error_answer(status, "bad parameter");
        case 401: return error_answer(status, "authentication required");
        case 403: return error_answer(status, "access denied");
        case 404: return error_answer(status, "no such object");
        case 409: return error_answer(status, "conflict with the present state");
        case 422: return error_answer(status, "request cannot be processed");
        case 429: return error_answer(status, "too many requests");
        case 500: return error_answer(status, "internal server error");
        case 502: return error_answer(status, "bad gateway");
        case 503: return error_answer(status, "service unavailable");
        case 504: return error_answer(status, "gateway timeout");
        default: return error_answer(status, "the engine answers so");
    }
}

std::uint32_t host_pid(std::uint32_t sandbox, std::uint32_t pid) {
    constexpr std::uint32_t first = 1000;
    constexpr std::uint32_t later = 100000;
    return pid == 1 ? first + sandbox : later + first * sandbox + pid;
}

std::string image_id(std::string_view image) {
    return image.empty() ? std::string() : "sha256:" + hex_digest({"image", with_tag(image)});
}

std::string_view network_of(const SandboxConfig& config) {
    return config.network_mode == "default" ? std::string_view("bridge") : config.network_mode;
}

}  // namespace drydock::sim::docker
