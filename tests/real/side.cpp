#include "side.hpp"

#include "sequence.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <regex>
#include <thread>

namespace drydock::real {

using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr auto answer_limit = 30s;
/// How long the body of a wait gets where the container runs on.
constexpr auto pending_limit = 100ms;
constexpr auto settle_limit = 10s;
const std::string label = "drydock.sequence";
const std::string no_id(64, '0');
/// Of an id, where a call names a container by a prefix of it.
constexpr std::size_t prefix_digits = 20;

std::string encoded(std::string_view text) {
    static const char* const digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.') {
            result += c;
        } else {
            result += {'%', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return result;
}

void replace_all(std::string& text, const std::string& old, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += with.size()) {
        text.replace(at, old.size(), with);
    }
}

/// Asks until the condition holds or the limit is over.
bool poll(std::chrono::milliseconds limit, const std::function<bool()>& condition) {
    for (auto left = limit; left > 0ms; left -= 20ms) {
        if (condition()) return true;
        std::this_thread::sleep_for(20ms);
    }
    return condition();
}

std::string query(std::string_view text) { return text.empty() ? "" : "?" + std::string(text); }

bool is_signal_of_death(std::string_view query_text) {
    return query_text.empty() || query_text == "signal=KILL" || query_text == "signal=SIGKILL" ||
           query_text == "signal=9";
}

}  // namespace

std::string Observation::text() const {
    std::string result;
    for (const std::string& line : containers) {
        result += "    " + line + "\n";
    }
    return containers.empty() ? "    no containers\n" : result;
}

Side::Side(std::string socket, const std::string& prefix)
    : socket_(std::move(socket)), prefix_(prefix) {}

void Side::clean() {
    open_.reset();
    poll(settle_limit, [this] {
        const json containers = list();
        for (const json& container : containers) {
            const std::string path = "/containers/" + container["Id"].get<std::string>();
            ask({"DELETE", path + "?force=1&v=1", ""});
        }
        return containers.empty();
    });
    ids_.clear();
    replaced_.clear();
}

std::string Side::perform(std::string_view call) {
    std::string_view rest = call;
    const std::string verb = take_word(rest);
    if (verb == "create") return create(rest);
    if (verb == "wait") return wait(rest);
    if (verb == "settle") return settle(rest);
    if (verb == "join") return join();
    if (verb == "twice") return twice(rest);
    if (verb == "list") return list(rest);
    if (verb == "GET" || verb == "POST" || verb == "DELETE") return raw(verb, rest);
    if (verb == "open") {
        open_.emplace(socket_, request_of("wait", rest));
        return "opened";
    }
    return act(verb, rest);
}

Answer Side::ask(const Request& request) { return Exchange(socket_, request).finish(answer_limit); }

json Side::list() {
    const json filters = {{"label", {label + "=" + prefix_}}};
    return json::parse(
        ask({"GET", "/containers/json?all=1&filters=" + encoded(filters.dump()), ""}).body);
}

/// `create NAME [WORD...] [JSON]`; the name ~X is none at all, and X stands for what is made.
std::string Side::create(std::string_view call) {
    const std::string name = take_word(call);
    const std::size_t brace = std::min(call.find('{'), call.size());
    std::string_view words = call.substr(0, brace);
    json body = {{"Image", "bb:latest"},
                 {"Cmd", {"sleep", "86400"}},
                 {"Labels", {{label, prefix_}}},
                 {"HostConfig", {{"NetworkMode", "none"}}}};
    if (!words.empty()) body["Cmd"] = json::array();
    while (!words.empty()) {
        body["Cmd"].push_back(take_word(words));
    }
    if (brace < call.size()) body.merge_patch(json::parse(substituted(call.substr(brace))));

    const bool named = !name.starts_with('~');
    const std::string path =
        "/containers/create" + (named ? "?name=" + encoded(resolve(name)) : std::string());
    const Answer answer = ask({"POST", path, body.dump()});
    if (answer.status != 201) return told(answer);

    const json made = json::parse(answer.body);
    const std::string id = made.at("Id");
    const std::string known = named ? name : name.substr(1);
    ids_[known] = id;
    replaced_.emplace_back(id, "ID:" + known);
    replaced_.emplace_back(id.substr(0, prefix_digits), "PRE:" + known);
    replaced_.emplace_back(id.substr(0, 12), "ID12:" + known);
    if (!named) {
        const json seen = json::parse(ask({"GET", "/containers/" + id + "/json", ""}).body);
        replaced_.emplace_back(seen.at("Name").get<std::string>().substr(1), name);
    }
    return normal("201 " + made.at("Warnings").dump());
}

std::string Side::wait(std::string_view call) {
    std::string_view rest = call;
    const std::string status = status_of(take_word(rest));
    // What is not running answers at once, unless it is told to wait for a later event.
    const bool pending = status == "running" || status == "paused" || status == "restarting" ||
                         !(rest.empty() || rest == "condition=not-running");
    Exchange exchange(socket_, request_of("wait", call));
    return told(exchange.finish(pending && !status.empty() ? pending_limit : answer_limit));
}

std::string Side::settle(std::string_view call) {
    const std::string target = take_word(call);
    poll(settle_limit, [&] { return status_of(target) == call; });
    return "settled as " + status_of(target);
}

std::string Side::join() {
    if (!open_) return "nothing is open";
    const std::string result = told(open_->finish(settle_limit));
    open_.reset();
    return result;
}

/// The same request on two connections at once; which one is first does not count.
std::string Side::twice(std::string_view call) {
    const std::string verb = take_word(call);
    const Request request = request_of(verb, call);
    auto first = std::async(std::launch::async, [&] { return told(ask(request)); });
    auto second = std::async(std::launch::async, [&] { return told(ask(request)); });
    std::array<std::string, 2> answers = {first.get(), second.get()};
    std::sort(answers.begin(), answers.end());
    return answers[0] + " and " + answers[1];
}

std::string Side::raw(const std::string& method, std::string_view call) {
    const std::string path = take_word(call);
    const Answer answer = ask({method, substituted(path), substituted(call)});
    return answer.status < 300 ? std::to_string(answer.status) : told(answer);
}

/// `list [QUERY] [FILTERS]`; the label of the sequence is added to the filters.
std::string Side::list(std::string_view call) {
    const std::size_t brace = std::min(call.find('{'), call.size());
    std::string path = "/containers/json";
    std::string_view words = call.substr(0, brace);
    path += "?" + take_word(words);
    json filters = json::object();
    if (brace < call.size()) filters = json::parse(substituted(call.substr(brace)));
    filters["label"].push_back(label + "=" + prefix_);
    const Answer answer = ask({"GET", path + "&filters=" + encoded(filters.dump()), ""});
    if (answer.status != 200) return told(answer);
    std::string result = "200";
    for (const json& container : json::parse(answer.body)) {
        result += " " + container.at("Names").dump() + " " + container.at("State").dump() + " " +
                  container.at("Status").dump() + ";";
    }
    return normal(result);
}

std::string Side::act(const std::string& verb, std::string_view call) {
    const Answer answer = ask(request_of(verb, call));
    if (verb == "kill" && answer.status == 204) {
        std::string_view rest = call;
        const std::string target = take_word(rest);
        // Kill is answered before its effect.
        if (is_signal_of_death(rest)) await_death(target);
    }
    if (verb == "inspect" && answer.status == 200) {
        bool settled = true;
        return "200 " + container_line(json::parse(answer.body).at("Id"), settled);
    }
    return told(answer);
}

Request Side::request_of(const std::string& verb, std::string_view call) const {
    const std::string path = "/containers/" + resolve(take_word(call));
    if (verb == "inspect") return {"GET", path + "/json" + query(call), ""};
    if (verb == "remove") return {"DELETE", path + query(call), ""};
    if (verb == "rename") return {"POST", path + "/rename?name=" + encoded(resolve(call)), ""};
    return {"POST", path + "/" + verb + query(call), ""};
}

std::string Side::resolve(std::string_view target) const {
    const auto id = [this](std::string_view name) {
        const auto found = ids_.find(name);
        return found == ids_.end() ? no_id : found->second;
    };
    if (target.starts_with('=')) return std::string(target.substr(1));
    if (target.starts_with("id:")) return id(target.substr(3));
    if (target.starts_with("pre:")) return id(target.substr(4)).substr(0, prefix_digits);
    return prefix_ + std::string(target);
}

/// `<TARGET>` in raw paths and bodies.
std::string Side::substituted(std::string_view text) const {
    std::string result(text);
    for (std::size_t at = 0; (at = result.find('<', at)) != std::string::npos;) {
        const std::size_t end = result.find('>', at);
        if (end == std::string::npos) break;
        const std::string value = resolve(std::string_view(result).substr(at + 1, end - at - 1));
        result.replace(at, end - at + 1, value);
        at += value.size();
    }
    return result;
}

/// Empty if there is no such container.
std::string Side::status_of(std::string_view target) {
    const Answer answer = ask({"GET", "/containers/" + resolve(target) + "/json", ""});
    if (answer.status != 200) return "";
    return json::parse(answer.body).at("State").at("Status");
}

std::string Side::told(const Answer& answer) const {
    const std::string status = std::to_string(answer.status);
    if (!answer.ended) return status + " pending";
    const json body = json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
    if (body.is_object() && body.size() == 1 && body.contains("message")) {
        return normal(status + " " + body["message"].get<std::string>());
    }
    return normal(body.is_discarded() ? status + " " + answer.body : status + " " + body.dump());
}

std::string Side::normal(std::string text) const {
    for (const auto& [old, with] : replaced_) {
        replace_all(text, old, with);
    }
    replace_all(text, prefix_, "");
    // An id of a sequence before, a folder of the engine, a process, the machine's processors, the
    // age of something.
    static const std::vector<std::pair<std::regex, std::string>> patterns = {
        {std::regex("[0-9a-f]{64}"), "ID"},
        {std::regex(R"((/[\w.-]+)+/(data|exec)/)"), "ROOT/"},
        {std::regex(R"(\bpid [0-9]+)"), "pid N"},
        {std::regex(R"([0-9]+\.00, as there are only [0-9]+ CPUs)"), "N, as there are only N CPUs"},
        {std::regex(R"((Less than a|About an?|[0-9]+) (second|minute|hour)s?)"), "TIME"}};
    for (const auto& [pattern, with] : patterns) {
        text = std::regex_replace(text, pattern, with);
    }
    return text;
}

std::string Side::container_line(const std::string& id, bool& settled) {
    const Answer answer = ask({"GET", "/containers/" + id + "/json", ""});
    if (answer.status != 200) {
        settled = false;
        return "gone";
    }
    const json seen = json::parse(answer.body);
    const json& state = seen.at("State");
    const std::string status = state.at("Status");
    const bool ended = status == "exited" || status == "dead";
    const bool removes_itself = seen.at("HostConfig").at("AutoRemove");
    if (status == "removing" || (ended && removes_itself)) settled = false;

    std::string line = seen.at("Name").get<std::string>() + " " + status;
    for (const char* flag : {"Running", "Paused", "Restarting", "OOMKilled", "Dead"}) {
        if (state.at(flag) != false) line += std::string(" ") + flag + "=" + state.at(flag).dump();
    }
    line += " exit=" + state.at("ExitCode").dump() + " restarts=" + seen.at("RestartCount").dump() +
            " error=" + state.at("Error").dump();
    return normal(line);
}

Observation Side::observe() {
    Observation result;
    for (const json& container : list()) {
        const std::string line = container_line(container.at("Id"), result.settled);
        result.containers.push_back(normal(line +
                                           " list=" + container.at("State").get<std::string>() +
                                           "/" + container.at("Status").get<std::string>()));
    }
    return result;
}

void Side::await_death(const std::string& target) {
    poll(settle_limit, [&] {
        const std::string status = status_of(target);
        return status != "running" && status != "paused";
    });
}

}  // namespace drydock::real
