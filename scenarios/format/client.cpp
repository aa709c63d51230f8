#include "format/parts.hpp"

#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace drydock::scenarios {
namespace {

constexpr std::uint32_t max_attempts = 1000;
constexpr std::size_t max_delays = 1000;
constexpr std::size_t max_kinds = 16;

struct DurationField {
    std::string_view name;
    Duration Policy::* member;
};

constexpr std::array<DurationField, 6> durations{{
    {"request_timeout", &Policy::request_timeout},
    {"ready_timeout", &Policy::ready_timeout},
    {"teardown_deadline", &Policy::teardown_deadline},
    {"late_horizon", &Policy::late_horizon},
    {"late_watch", &Policy::late_watch},
    {"settle", &Policy::settle},
}};

constexpr std::array<std::string_view, 10> client_fields{
    "attempts",     "backoff",    "request_timeout", "ready_timeout", "teardown_deadline",
    "late_horizon", "late_watch", "settle",          "deadline",      "restart_after"};

Exponential read_exponential(const Node& node) {
    constexpr std::array<std::string_view, 4> fields{"base", "factor", "ceiling", "jitter"};
    node.check_fields(fields);
    Exponential backoff;
    backoff.base = node.at("base").positive_duration();
    if (const auto factor = node.find("factor")) {
        backoff.factor = factor->count(1, 100);
    }
    if (const auto ceiling = node.find("ceiling")) {
        backoff.ceiling = ceiling->positive_duration();
    }
    if (const auto jitter = node.find("jitter")) {
        backoff.jitter = jitter->share();
    }
    return backoff;
}

/// "2s" is exponential from there, a list is exactly these, an object says everything.
Backoff read_backoff(const Node& node) {
    if (node.is_object()) {
        return read_exponential(node);
    }
    if (node.is_array()) {
        ExplicitDelays delays;
        for (const Node& item : node.items(0, max_delays)) {
            delays.push_back(item.duration());
        }
        return delays;
    }
    if (!node.is_string()) {
        node.fail("a back-off is a duration, a list of durations, or an object with base");
    }
    Exponential backoff;
    backoff.base = node.positive_duration();
    return backoff;
}

}  // namespace

void read_client(const Node& node, Scenario& scenario) {
    node.check_fields(client_fields);
    Policy& policy = scenario.client;
    if (const auto attempts = node.find("attempts")) {
        policy.attempts = attempts->count(1, max_attempts);
    }
    if (const auto backoff = node.find("backoff")) {
        policy.backoff = read_backoff(*backoff);
    }
    for (const DurationField& field : durations) {
        if (const auto value = node.find(field.name)) {
            policy.*field.member = value->positive_duration();
        }
    }
    if (const auto deadline = node.find("deadline")) {
        policy.deadline = deadline->positive_duration();
    }
    if (const auto restart_after = node.find("restart_after")) {
        scenario.restart_after = restart_after->duration();
    }
}

BackendChoice read_backend(const Node& node, std::span<const std::string> known_kinds) {
    constexpr std::array<std::string_view, 1> fields{"kind"};
    node.check_fields(fields);
    const Node kind = node.at("kind");
    const std::vector<Node> nodes = kind.is_array() ? kind.items(1, max_kinds) : std::vector{kind};
    const std::vector<std::string_view> known(known_kinds.begin(), known_kinds.end());
    BackendChoice backend;
    for (const Node& item : nodes) {
        backend.kinds.emplace_back(known[item.word(known, "backend")]);
        if (std::count(backend.kinds.begin(), backend.kinds.end(), backend.kinds.back()) > 1) {
            item.fail(fmt::format("\"{}\" stands here twice", backend.kinds.back()));
        }
    }
    return backend;
}

}  // namespace drydock::scenarios
