#include "docker/requests.hpp"

#include <algorithm>
#include <vector>

namespace drydock::docker {
namespace {

constexpr std::string_view containers = "/v1.41/containers/";

std::string container_target(std::string_view reference, std::string_view rest) {
    std::string target;
    target.reserve(containers.size() + reference.size() + rest.size());
    target.append(containers);
    append_encoded(target, reference);
    target.append(rest);
    return target;
}

void append_strings(std::string& json, const std::vector<std::string>& texts) {
    char before = '[';
    for (const std::string& text : texts) {
        json.push_back(before);
        append_json(json, text);
        before = ',';
    }
    json.push_back(']');
}

/// Ours win over the caller's: without them nobody could tell whose the sandbox is.
void append_labels(std::string& json, const Labels& theirs, const Labels& ours) {
    char before = '{';
    const auto append = [&](const auto& label) {
        json.push_back(before);
        append_json(json, label.first);
        json.push_back(':');
        append_json(json, label.second);
        before = ',';
    };
    for (const auto& label : theirs) {
        const auto same = [&](const auto& other) { return other.first == label.first; };
        if (std::none_of(ours.begin(), ours.end(), same)) {
            append(label);
        }
    }
    for (const auto& label : ours) {
        append(label);
    }
    if (before == '{') {
        json.push_back(before);
    }
    json.push_back('}');
}

std::string create_body(const SandboxSpec& spec, const Labels& labels) {
    std::string json;
    json.reserve(512);
    json.append(R"({"Image":)");
    append_json(json, spec.image);
    if (!spec.command.empty()) {
        json.append(R"(,"Cmd":)");
        append_strings(json, spec.command);
    }
    if (!spec.environment.empty()) {
        json.append(R"(,"Env":)");
        append_strings(json, spec.environment);
    }
    json.append(R"(,"Labels":)");
    append_labels(json, spec.labels, labels);
    json.push_back('}');
    return json;
}

Request request(Method method, std::string target) {
    Request made;
    made.method = method;
    made.target = std::move(target);
    return made;
}

}  // namespace

Request create_request(std::string_view name, const SandboxSpec& spec, const Labels& labels) {
    std::string target(containers);
    target.append("create?name=");
    append_encoded(target, name);
    Request made = request(Method::post, std::move(target));
    made.content_type = "application/json";
    made.body = create_body(spec, labels);
    return made;
}

Request start_request(std::string_view id) {
    return request(Method::post, container_target(id, "/start"));
}

Request inspect_request(std::string_view id_or_name) {
    return request(Method::get, container_target(id_or_name, "/json"));
}

Request list_request(const Labels& labels) {
    std::string filters = R"({"label":[)";
    for (const auto& [key, value] : labels) {
        if (filters.back() != '[') {
            filters.push_back(',');
        }
        append_json(filters, key + "=" + value);
    }
    filters.append("]}");
    std::string target(containers);
    target.append("json?all=1&filters=");
    append_encoded(target, filters);
    return request(Method::get, std::move(target));
}

Request remove_request(std::string_view id) {
    return request(Method::del, container_target(id, "?force=1&v=1"));
}

}  // namespace drydock::docker
