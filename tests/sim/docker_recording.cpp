#include "docker_recording.hpp"

#include "docker_recording_bodies.hpp"

#include <drydock/sim/wall.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace drydock::sim::test {
namespace {

using json = nlohmann::ordered_json;

/// What each placeholder may stand for. Ids are substituted before.
const std::map<std::string, std::string>& patterns() {
    static const std::map<std::string, std::string> all = {
        {"hex64", "[0-9a-f]{64}"},
        {"hex12", "[0-9a-f]{12}"},
        {"time", R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)"},
        {"unix", R"(\d{10})"},
        {"unixnano", R"(\d{19})"},
        {"pid", "[1-9][0-9]*"},
        {"ip", R"(172\.17\.\d+\.\d+)"},
        {"gateway", R"(172\.17\.0\.1)"},
        {"prefixlen", "[0-9]+"},
        {"mac", "([0-9a-f]{2}:){5}[0-9a-f]{2}"},
        {"port", "[1-9][0-9]{3,4}"},
        {"len", "[0-9]+"},
        {"duration", R"((Less than a second|About a minute|\d+ seconds?))"},
        {"image:bb", "sha256:[0-9a-f]{64}"},
        {"root:data", "/[a-z/]+"},
        {"root:exec", "/[a-z/]+"},
    };
    return all;
}

std::string encoded(const std::string& text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string target;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0) {
            target.push_back(c);
        } else {
            target.push_back('%');
            target.push_back(digits[byte >> 4]);
            target.push_back(digits[byte & 15]);
        }
    }
    return target;
}

Method method_of(const std::string& word) {
    for (const Method method :
         {Method::get, Method::head, Method::post, Method::put, Method::del}) {
        if (name(method) == word) {
            return method;
        }
    }
    throw std::invalid_argument("no such method: " + word);
}

/// The query's names and values, from an object or a list of pairs.
std::vector<std::pair<std::string, std::string>> query_of(const json& recorded) {
    std::vector<std::pair<std::string, std::string>> query;
    const auto add = [&](const std::string& key, const json& value) {
        query.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    };
    const json parts = recorded.value("query", json::object());
    for (const auto& [key, value] : parts.items()) {
        if (parts.is_array()) {
            add(value.at(0).get<std::string>(), value.at(1));
        } else {
            add(key, value);
        }
    }
    return query;
}

/// The value at a dotted path, or nothing.
const json* at_path(const json& value, const std::string& path) {
    const json* at = &value;
    std::size_t begin = 0;
    while (begin <= path.size()) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string key = path.substr(begin, end - begin);
        if (at->is_array() && !key.empty() && std::isdigit(key[0]) != 0) {
            const auto index = static_cast<std::size_t>(std::stoul(key));
            if (index >= at->size()) {
                return nullptr;
            }
            at = &(*at)[index];
        } else if (at->is_object() && at->contains(key)) {
            at = &at->at(key);
        } else {
            return nullptr;
        }
        begin = end + 1;
    }
    return at;
}

json picked(const json& value, const json& paths) {
    if (value.is_array()) {
        json all = json::array();
        for (const json& element : value) {
            all.push_back(picked(element, paths));
        }
        return all;
    }
    json some = json::object();
    for (const json& path : paths) {
        if (const json* found = at_path(value, path.get<std::string>())) {
            some[path.get<std::string>()] = *found;
        }
    }
    return some;
}

}  // namespace

std::string Recording::sort_key(const json* value) const {
    const std::string text = value == nullptr ? "" : value->dump();
    for (const auto& [variable, id] : variables_) {
        if (text == json(id).dump()) {
            return json("${" + variable + "}").dump();
        }
    }
    const bool is_id = value != nullptr && value->is_string() && text.size() == 66;
    return is_id ? json("${hex64}").dump() : text;
}

json Recording::shown(const json& step, json body) const {
    if (!step.contains("show")) {
        return body;
    }
    const json& show = step.at("show");
    const bool is_refusal = step.at("response").value("status", 0) >= 400;  // shown whole
    if (show.contains("pick") && !is_refusal) {
        body = picked(body, show.at("pick"));
    }
    if (show.contains("sort") && body.is_array()) {
        const std::string path = show.at("sort").get<std::string>();
        std::sort(body.begin(), body.end(), [&](const json& a, const json& b) {
            return sort_key(at_path(a, path)) < sort_key(at_path(b, path));
        });
    }
    return body;
}

Recording::Recording(const std::string& topic) {
    harness_.model.add_image("bb");
    std::ifstream file("tests/data/wire/docker/" + topic + ".json");
    const json transcript = json::parse(file);
    for (const json& step : transcript.at("steps")) {
        steps_.push_back({step.at("name").get<std::string>(), step});
    }
}

std::string Recording::substituted(std::string text) const {
    for (const auto& [variable, value] : variables_) {
        const std::string placeholder = "${" + variable + "}";
        for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos;) {
            text.replace(at, placeholder.size(), value);
        }
    }
    return text;
}

Request Recording::request_of(const json& recorded) const {
    Request request;
    request.asks_upgrade =
        recorded.contains("headers") && recorded.at("headers").contains("Upgrade");
    request.method = method_of(recorded.at("method").get<std::string>());
    request.target = substituted(recorded.at("path").get<std::string>());
    char before = '?';
    for (const auto& [key, value] : query_of(recorded)) {
        request.target += before + encoded(key) + "=" + encoded(substituted(value));
        before = '&';
    }
    if (recorded.contains("body_json")) {
        request.body = recorded.at("body_json").dump();
        request.content_type = "application/json";
    } else if (recorded.contains("body_text")) {
        request.body = recorded.at("body_text").get<std::string>();
    } else if (recorded.contains("body_b64")) {
        request.body = decoded_base64(recorded.at("body_b64").get<std::string>());
    } else if (recorded.contains("body_tar")) {
        request.body = tar_of(recorded.at("body_tar"));
    }
    if (recorded.contains("headers") && recorded.at("headers").contains("Content-Type")) {
        request.content_type =
            recorded.at("headers").at("Content-Type").get_ref<const std::string&>();
    }
    return request;
}

bool Recording::holds(const json& until, const Response& response) {
    const json body = json::parse(response.body, nullptr, false);
    for (const auto& [path, wanted] : until.items()) {
        const json status = response.status;
        const json* found = path == "status" ? &status : at_path(body, path);
        const json any = wanted.is_array() ? wanted : json::array({wanted});
        if (found == nullptr || std::find(any.begin(), any.end(), *found) == any.end()) {
            return false;
        }
    }
    return true;
}

Response Recording::perform(const json& step) {
    if (step.value("op", "http") == "finish") {
        const auto responder = connections_.at(step.at("conn").get<std::string>());
        harness_.world.run_until([&] { return responder->replies > 0; });
        return responder->response;
    }
    const Request request = request_of(step.at("request"));
    Response response = harness_.ask(request);
    if (step.value("op", "http") != "poll") {
        return response;
    }
    for (int i = 0; i < 1000 && !holds(step.at("until"), response); ++i) {
        harness_.pass(std::chrono::milliseconds(10));
        response = harness_.ask(request);
    }
    return response;
}

void Recording::settle(const json& step, int usual_ms) {
    harness_.pass(std::chrono::milliseconds(step.value("settle_ms", usual_ms)));
}

void Recording::open(const json& step) {
    connections_[step.at("conn").get<std::string>()] =
        harness_.send(request_of(step.at("request")));
    settle(step, 150);
}

// What was cut off before its end never reaches a model.
void Recording::drop(const json& step) {
    if (!step.contains("send_only_bytes_of_body")) {
        harness_.send(request_of(step.at("request")))->leave();
    }
    settle(step, 0);
}

void Recording::act(const std::string& op, const json& step) {
    RecordingResponder& client = *connections_.at(step.at("conn").get<std::string>());
    if (op == "write") {
        client.send(step.contains("b64") ? decoded_base64(step.at("b64").get<std::string>())
                                         : step.at("text").get<std::string>());
        settle(step, 50);
    } else if (op == "shutwr") {
        client.end_input();
    } else {
        client.leave();
        settle(step, 0);
    }
}

std::string Recording::peek(const json& step) {
    constexpr Duration long_enough = std::chrono::seconds(10);
    const auto& responder = *connections_.at(step.at("conn").get<std::string>());
    const std::string awaited = step.value("until_text", "");
    const Time limit = harness_.world.now() + long_enough;
    harness_.world.run_until([&] {
        const bool is_there = responder.response.body.find(awaited) != std::string::npos;
        return is_there || harness_.world.now() > limit;
    });
    const json& recorded = step.at("response");
    const Response& seen = responder.header ? *responder.header : responder.response;
    if (seen.status != recorded.value("status", 0)) {
        return "status " + std::to_string(seen.status) + " so far";
    }
    const bool is_compared = responder.client.input || recorded.contains("body_jsonl");
    return is_compared ? compare_body(step, responder.response) : std::string();
}

std::string Recording::race(const json& step) {
    std::vector<std::shared_ptr<RecordingResponder>> responders;
    for (const json& request : step.at("requests")) {
        responders.push_back(harness_.send(request_of(request)));
    }
    json statuses = json::array();
    for (const auto& responder : responders) {
        harness_.world.run_until([&] { return responder->replies > 0; });
        statuses.push_back(responder->response.status);
    }
    std::sort(statuses.begin(), statuses.end());
    const json& accepted = step.at("accepted_statuses");
    const bool is_accepted =
        std::find(accepted.begin(), accepted.end(), statuses) != accepted.end();
    return is_accepted ? "" : "statuses " + statuses.dump();
}

void Recording::capture(const json& step, const Response& response) {
    if (!step.contains("capture")) {
        return;
    }
    const json body = json::parse(response.body, nullptr, false);
    for (const auto& [variable, path] : step.at("capture").items()) {
        const json* found = at_path(body, path.get<std::string>());
        if (found == nullptr || !found->is_string()) {
            continue;
        }
        const std::string value = found->get<std::string>();
        variables_[variable] = value;
        if (variable.starts_with("image:")) {
            variables_["image12:" + variable.substr(6)] = value.substr(7, 12);
        }
        if (variable.starts_with("cid:")) {
            variables_["cid12:" + variable.substr(4)] = value.substr(0, 12);
        }
    }
}

std::string Recording::seconds_now(int digits, int later) const {
    const auto now = (simulated_start + harness_.world.now().time_since_epoch()).time_since_epoch();
    return fmt::format("{:.{}f}", std::chrono::duration<double>(now).count() + later, digits);
}

void Recording::mark(const json& step) {
    constexpr Duration apart = std::chrono::milliseconds(20);
    harness_.pass(apart);
    variables_[step.at("var").get<std::string>()] = seconds_now(6);
    harness_.pass(apart);
}

std::string Recording::difference(const Step& step) {
    variables_["now+1"] = seconds_now(0, 1);
    const std::string op = step.json.value("op", "http");
    if (op == "mark") {
        mark(step.json);
        return "";
    }
    if (op == "sleep") {
        harness_.pass(std::chrono::milliseconds(step.json.at("ms").get<int>()));
        return "";
    }
    if (op == "open") {
        open(step.json);
        return "";
    }
    if (op == "drop") {
        drop(step.json);
        return "";
    }
    if (op == "write" || op == "shutwr" || op == "close") {
        act(op, step.json);
        return "";
    }
    if (op == "peek") {
        return peek(step.json);
    }
    return op == "race" ? race(step.json) : judge(step.json, perform(step.json));
}

std::string Recording::judge(const json& step, const Response& response) {
    capture(step, response);
    if (response.status == 201 && step.at("response").at("status") != 201) {
        // A refusal that is not modelled yet: its container must not meddle with later steps.
        const json body = json::parse(response.body);
        Request removal;
        removal.method = Method::del;
        removal.target = "/containers/" + body.at("Id").get<std::string>();
        harness_.ask(removal);
    }
    return compare(step, response);
}

std::string Recording::compare(const json& step, const Response& response) {
    const json& recorded = step.at("response");
    if (response.status != recorded.at("status").get<int>()) {
        return "status " + std::to_string(response.status) + " " + response.body;
    }
    for (const char* header : {"Content-Type", "Api-Version"}) {
        const std::string wanted = recorded.at("headers").value(header, "");
        if (response.header(header) != wanted) {
            return std::string(header) + ": " + std::string(response.header(header));
        }
    }
    const bool hides_path_stat = step.contains("show") && step.at("show").contains("drop_headers");
    if (std::string text = compare_path_stat(recorded.at("headers"), response);
        !text.empty() && !hides_path_stat) {
        return text;
    }
    const bool has_body =
        step.value("op", "http") != "http" || step.at("request").at("method") != "HEAD";
    return has_body ? compare_body(step, response) : std::string();
}

std::string Recording::compare_path_stat(const json& headers, const Response& response) const {
    constexpr const char* name = "X-Docker-Container-Path-Stat";
    const std::string value = decoded_base64(response.header(name));
    if (!headers.contains(name)) {
        return value.empty() ? "" : "path stat " + value;
    }
    const json seen = json::parse(value, nullptr, false);
    return mismatch(headers.at(name).at("base64_of_json"), seen, name);
}

std::string Recording::compare_body(const json& step, const Response& response) {
    const json& recorded = step.at("response");
    if (recorded.contains("body_raw")) {
        const bool is_same = recorded.at("body_raw").value("text", "") == response.body;
        return is_same ? "" : "body " + response.body;
    }
    if (recorded.contains("body_frames")) {
        const json seen = shown_frames(response.body);
        return mismatch(recorded.at("body_frames"), seen, "");
    }
    if (recorded.contains("body_frame_sizes")) {
        return mismatch(recorded.at("body_frame_sizes"), frame_sizes(response.body), "");
    }
    if (recorded.contains("body_jsonl")) {
        return mismatch(recorded.at("body_jsonl"), shown(step, lines_of(response.body)), "");
    }
    if (recorded.contains("body_tar")) {
        return mismatch(recorded.at("body_tar"), shown_tar(response.body), "");
    }
    if (!recorded.contains("body_json")) {
        return response.body.empty() ? "" : "body " + response.body;
    }
    if (!response.body.ends_with('\n')) {
        return "no newline at the end of the body";
    }
    const json seen = json::parse(response.body, nullptr, false);
    return mismatch(recorded.at("body_json"), shown(step, seen), "");
}

bool Recording::matches(const std::string& recorded, const json& seen) const {
    const std::string wanted = substituted(recorded);
    const std::string text = seen.is_string() ? seen.get<std::string>() : seen.dump();
    if (text == recorded) {
        return true;  // a variable that was never captured stands for itself
    }
    if (wanted.find("${") == std::string::npos) {
        return seen.is_string() && text == wanted;
    }
    std::string pattern;
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t end = wanted.find('}', at);
        if (wanted.compare(at, 2, "${") == 0 && end != std::string::npos) {
            const auto known = patterns().find(wanted.substr(at + 2, end - at - 2));
            if (known == patterns().end()) {
                return false;
            }
            pattern += known->second;
            at = end + 1;
        } else {
            if (std::string_view("^$.*+?()[]{}|\\").find(wanted[at]) != std::string_view::npos) {
                pattern.push_back('\\');
            }
            pattern.push_back(wanted[at++]);
        }
    }
    return std::regex_match(text, std::regex(pattern));
}

std::string Recording::mismatch(const json& recorded, const json& seen,
                                const std::string& path) const {
    if (recorded.is_string()) {
        return matches(recorded.get<std::string>(), seen)
                   ? ""
                   : path + ": " + seen.dump() + ", recorded " + recorded.dump();
    }
    if (recorded.type() != seen.type() && !(recorded.is_number() && seen.is_number())) {
        return path + ": " + seen.dump() + ", recorded " + recorded.dump();
    }
    if (!recorded.is_structured()) {
        return recorded == seen ? "" : path + ": " + seen.dump() + ", recorded " + recorded.dump();
    }
    if (recorded.size() != seen.size()) {
        return path + ": " + seen.dump() + ", recorded " + recorded.dump();
    }
    for (const auto& [key, value] : recorded.items()) {
        const std::string below = path + "/" + key;
        const bool is_there = recorded.is_array() || seen.contains(key);
        if (!is_there) {
            return below + " is missing";
        }
        const json& other = recorded.is_array() ? seen[std::stoul(key)] : seen.at(key);
        if (std::string text = mismatch(value, other, below); !text.empty()) {
            return text;
        }
    }
    return "";
}

}  // namespace drydock::sim::test
