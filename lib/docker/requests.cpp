#include "docker/requests.hpp"

#include <algorithm>
#include <vector>

namespace drydock::docker {
namespace {

constexpr std::string_view containers = "/v1.41/containers/";
constexpr std::string_view execs = "/v1.41/exec/";

std::string target_of(std::string_view kind, std::string_view reference, std::string_view rest) {
    std::string target;
    target.reserve(kind.size() + reference.size() + rest.size());
    target.append(kind);
    append_encoded(target, reference);
    target.append(rest);
    return target;
}

std::string container_target(std::string_view reference, std::string_view rest) {
    return target_of(containers, reference, rest);
}

std::string archive_target(std::string_view id, std::string_view folder) {
    std::string target = container_target(id, "/archive?path=");
    append_encoded(target, folder);
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

std::string exec_body(const ExecSpec& spec) {
    std::string json;
    json.reserve(256);
    const std::string_view output = spec.has_output ? "true" : "false";
    json.append(R"({"AttachStdout":)").append(output);
    json.append(R"(,"AttachStderr":)").append(output);
    json.append(R"(,"Cmd":)");
    append_strings(json, spec.argv);
    if (!spec.environment.empty()) {
        json.append(R"(,"Env":)");
        append_strings(json, spec.environment);
    }
    json.push_back('}');
    return json;
}

Request request(Method method, std::string target) {
    Request made;
    made.method = method;
    made.target = std::move(target);
    return made;
}

Request with_json(Request made, std::string body) {
    made.content_type = "application/json";
    made.body = std::move(body);
    return made;
}

}  // namespace

Request create_request(std::string_view name, const SandboxSpec& spec, const Labels& labels) {
    std::string target(containers);
    target.append("create?name=");
    append_encoded(target, name);
    return with_json(request(Method::post, std::move(target)), create_body(spec, labels));
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

Request exec_create_request(std::string_view id, const ExecSpec& spec) {
    return with_json(request(Method::post, container_target(id, "/exec")), exec_body(spec));
}

Request exec_start_request(std::string_view exec) {
    return with_json(request(Method::post, target_of(execs, exec, "/start")), R"({"Detach":true})");
}

Request exec_open_request(std::string_view exec) {
    Request made = with_json(request(Method::post, target_of(execs, exec, "/start")),
                             R"({"Detach":false,"Tty":false})");
    made.asks_upgrade = true;
    return made;
}

Request exec_inspect_request(std::string_view exec) {
    return request(Method::get, target_of(execs, exec, "/json"));
}

Request upload_request(std::string_view id, std::string_view folder, std::string archive) {
    Request made = request(Method::put, archive_target(id, folder));
    made.content_type = "application/x-tar";
    made.body = std::move(archive);
    return made;
}

Request download_request(std::string_view id, std::string_view folder) {
    return request(Method::get, archive_target(id, folder));
}

}  // namespace drydock::docker
