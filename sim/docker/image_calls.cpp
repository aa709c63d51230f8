// Images: shown and named. There is one, under as many names as a model is told or clients give.
#include "docker/call.hpp"
#include "docker/create_body.hpp"
#include "docker/exchange.hpp"
#include "docker/filters.hpp"
#include "docker/images.hpp"
#include "docker/json_parts.hpp"
#include "engine/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::sim {
namespace {

constexpr std::array<std::string_view, 5> image_filters = {"before", "dangling", "label",
                                                           "reference", "since"};

/// As a shell matches: "*" is any text.
bool matches_pattern(std::string_view pattern, std::string_view text) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) {
        return pattern == text;
    }
    if (!text.starts_with(pattern.substr(0, star))) {
        return false;
    }
    for (std::size_t at = star; at <= text.size(); ++at) {
        if (matches_pattern(pattern.substr(star + 1), text.substr(at))) {
            return true;
        }
    }
    return false;
}

bool passes(const docker::Filters& filters, std::string_view tagged) {
    const auto at = filters.values.find("reference");
    const std::string_view bare = tagged.substr(0, tagged.rfind(':'));
    return at == filters.values.end() ||
           std::any_of(at->second.begin(), at->second.end(), [&](const std::string& pattern) {
               return matches_pattern(pattern, tagged) || matches_pattern(pattern, bare);
           });
}

/// "bb" for the "HOST/library/bb" that the docker command makes of it.
std::string familiar(std::string_view name) {
    constexpr std::string_view library = "/library/";
    const std::size_t slash = std::min(name.find('/'), name.size());
    const bool is_host = name.substr(0, slash).find('.') != std::string_view::npos;
    const bool is_long = is_host && name.substr(slash).starts_with(library);
    return std::string(is_long ? name.substr(slash + library.size()) : name);
}

}  // namespace

void DockerModel::image(const docker::Call& call, const Exchange& exchange) {
    const WallTime made = engine_.wall_at(Time{});
    if (images_.empty()) {
        exchange.reply(docker::image_answer(docker::with_tag(call.reference), made));
        return;
    }
    for (const std::string& tagged : images_) {
        if (docker::is_image(tagged, call.reference)) {
            exchange.reply(docker::image_answer(tagged, made));
            return;
        }
    }
    exchange.reply(docker::no_image_answer(call.reference));
}

void DockerModel::list_images(const docker::Call& call, const Exchange& exchange) {
    const docker::Filters filters = docker::read_filters(call.parameter("filters"));
    if (!filters.error.empty()) {
        return exchange.reply(docker::error_answer(500, filters.error));
    }
    for (const auto& [key, values] : filters.values) {
        if (std::find(image_filters.begin(), image_filters.end(), key) == image_filters.end()) {
            return exchange.reply(docker::error_answer(400, "Invalid filter '" + key + "'"));
        }
    }
    const auto made = engine_.wall_at(Time{}).time_since_epoch() / std::chrono::seconds(1);
    std::string body = "[";
    for (const std::string& tagged : images_) {
        if (!passes(filters, tagged)) {
            continue;
        }
        body.append(body.back() == '}' ? "," : "");
        body.append(
            fmt::format(R"({{"Containers":-1,"Created":{},"Id":"{}","Labels":null,"ParentId":"",)"
                        R"("RepoDigests":null,"RepoTags":["{}"],"SharedSize":-1,"Size":1982353,)"
                        R"("VirtualSize":1982353}})",
                        made, docker::image_id(tagged), tagged));
    }
    exchange.reply(docker::answer(200, body + "]\n"));
}

void DockerModel::name_image(const std::string& reference, std::string_view action,
                             const std::string& id) {
    const std::string tagged = docker::with_tag(reference);
    if (!images_.empty() && !knows_image(reference)) {
        images_.push_back(tagged);
        named_images_.push_back(tagged);
    }
    engine_.announce_other("image", action, {.id = id, .attributes = {{"name", reference}}});
}

void DockerModel::tag_image(const docker::Call& call, const Exchange& exchange) {
    std::string name = familiar(call.parameter("repo"));
    if (const std::string_view tag = call.parameter("tag"); !tag.empty()) {
        name.append(":").append(tag);
    }
    if (const auto refusal = docker::refused_image(name)) {
        return exchange.reply(docker::error_answer(500, refusal->message));
    }
    if (!knows_image(call.reference)) {
        return exchange.reply(
            docker::error_answer(404, "No such image: " + docker::with_tag(call.reference)));
    }
    name_image(name, "tag", docker::image_id(call.reference));
    exchange.responder->applied();
    exchange.reply(docker::answer(201));
}

// Only the names that clients gave can be taken away again.
void DockerModel::remove_image(const docker::Call& call, const Exchange& exchange) {
    const std::string tagged = docker::with_tag(call.reference);
    if (!knows_image(call.reference)) {
        return exchange.reply(docker::error_answer(404, "No such image: " + tagged));
    }
    if (std::erase(named_images_, tagged) == 0) {
        return exchange.reply(docker::error_answer(501, "an image itself is not removed here"));
    }
    std::erase(images_, tagged);
    const std::string id = docker::image_id(tagged);
    engine_.announce_other("image", "untag", {.id = id, .attributes = {{"name", id}}});
    exchange.responder->applied();
    exchange.reply(docker::answer(200, fmt::format("[{{\"Untagged\":\"{}\"}}]\n", tagged)));
}

// What a container has changed does not become part of the image.
void DockerModel::commit(const docker::Call& call, const Exchange& exchange) {
    const std::string reference(call.parameter("container"));
    std::string name = familiar(call.parameter("repo"));
    if (const std::string_view tag = call.parameter("tag"); !tag.empty()) {
        name.append(":").append(tag);
    }
    if (const auto refusal = docker::refused_image(name)) {
        return exchange.reply(docker::error_answer(500, refusal->message));
    }
    const Outcome found = engine_.inspect(reference);
    if (found.verdict != Verdict::done) {
        return exchange.reply(found, reference);
    }
    const std::string id =
        "sha256:" + hex_digest({"commit", found.id, std::to_string(named_images_.size())});
    engine_.announce(*found.sandbox, "commit", {.attributes = {{"comment", ""}}});
    name_image(name, "tag", id);
    exchange.responder->applied();
    exchange.reply(docker::answer(201, fmt::format("{{\"Id\":\"{}\"}}\n", id)));
}

void DockerModel::disk_usage(const Exchange& exchange) {
    exchange.reply(
        docker::answer(200,
                       "{\"LayersSize\":1982353,\"Images\":[],\"Containers\":[],\"Volumes\":[],"
                       "\"BuildCache\":null,\"BuilderSize\":0}\n"));
}

}  // namespace drydock::sim
