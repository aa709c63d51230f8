#include "docker/answers.hpp"
#include "docker/json_cursor.hpp"
#include "fuzz/targets.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace drydock::fuzz {
namespace {

using nlohmann::json;

bool is_utf8(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::ignore).size() ==
           json(text).dump(-1, ' ', false, json::error_handler_t::replace).size();
}

/// The cursor does not look into scalars, so it lets more through; but nothing less.
void check_skips_json(std::string_view input) {
    const auto brackets =
        std::count_if(input.begin(), input.end(), [](char c) { return c == '[' || c == '{'; });
    const bool has_end_for_nlohmann = input.find('\0') != std::string_view::npos;
    if (brackets > docker::JsonCursor::max_depth || has_end_for_nlohmann) return;
    if (!json::accept(input)) return;
    docker::JsonCursor cursor(input);
    check(cursor.skip() && cursor.at_end(), "what is JSON can be stepped over");
}

void check_created(std::string_view input) {
    const auto id = docker::read_created_id(input);
    const json body = json::parse(input, nullptr, false);
    if (!id || !body.is_object()) return;
    check(body.contains("Id") && body["Id"].is_string(), "an id comes from the body");
}

void check_refusal(std::string_view input) {
    const docker::Refusal refusal = docker::read_refusal(input);
    check(refusal.message.size() <= 1004 && is_utf8(refusal.message), "a message can be shown");
    check(refusal.code.size() <= 1004 && is_utf8(refusal.code), "a code can be shown");
}

}  // namespace

void read_docker_json(std::string_view input) {
    check_skips_json(input);
    check_created(input);
    check_refusal(input);
    static_cast<void>(docker::read_sandbox(input));
    static_cast<void>(docker::read_sandboxes(input));
    static_cast<void>(docker::read_exec(input));
}

}  // namespace drydock::fuzz
