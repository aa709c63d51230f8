#include "format/parts.hpp"

#include <drydock/error.hpp>
#include <drydock/faults/site.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace drydock::scenarios {
namespace {

constexpr std::size_t max_held = 100'000;
constexpr std::size_t max_invariants = 100;
constexpr std::size_t longest_text = 4096;

constexpr std::array<std::string_view, 2> verdicts{"pass", "violation"};

const AcquireStep* as_acquire(const ActorStep& step) { return std::get_if<AcquireStep>(&step); }

/// "runner/main#1" for every step of the scenario.
std::set<std::string> step_names(const std::vector<ProcessScript>& processes) {
    std::set<std::string> names;
    for (const ProcessScript& process : processes) {
        for (const ActorScript& actor : process.actors) {
            for (std::size_t i = 1; i <= actor.steps.size(); ++i) {
                names.insert(fmt::format("{}/{}#{}", process.name, actor.name, i));
            }
        }
    }
    return names;
}

/// "runner[scan-1]" for every key that some step acquires or attaches.
std::set<std::string> lease_names(const std::vector<ProcessScript>& processes) {
    std::set<std::string> names;
    for (const ProcessScript& process : processes) {
        for (const ActorScript& actor : process.actors) {
            for (const ActorStep& step : actor.steps) {
                const auto* attach = std::get_if<AttachStep>(&step);
                const auto* acquire = as_acquire(step);
                if (acquire != nullptr || attach != nullptr) {
                    const std::string& key = acquire != nullptr ? acquire->key : attach->key;
                    names.insert(fmt::format("{}[{}]", process.name, faults::encode_lease(key)));
                }
            }
        }
    }
    return names;
}

/// What expectations are read against.
struct Subjects {
    std::set<std::string> steps;
    std::set<std::string> leases;
};

std::string read_step_outcome(const Node& node) {
    const std::string& text = node.text(longest_text);
    constexpr std::string_view error = "error:";
    if (text == "ok" || text == "skipped") {
        return text;
    }
    if (!text.starts_with(error)) {
        node.fail(fmt::format("{} is not \"ok\", \"error:KIND\" or \"skipped\"",
                              faults::in_quotes(text)));
    }
    const std::string_view kind = std::string_view(text).substr(error.size());
    if (!error_kind_from_name(kind)) {
        std::array<std::string_view, error_kind_count> known{};
        for (std::size_t i = 0; i < known.size(); ++i) {
            known[i] = name(static_cast<ErrorKind>(i));
        }
        node.fail(fmt::format("unknown error kind {}{} (known: {})", faults::in_quotes(kind),
                              faults::did_you_mean(kind, known), fmt::join(known, ", ")));
    }
    return text;
}

std::map<std::string, std::string> read_steps(const Node& node, const Subjects& subjects) {
    std::map<std::string, std::string> steps;
    for (const auto& [step, outcome] : node.members()) {
        if (!subjects.steps.contains(step)) {
            outcome.fail(fmt::format("no step {}; steps are named PROCESS/ACTOR#NUMBER, from 1",
                                     faults::in_quotes(step)));
        }
        steps.emplace(step, read_step_outcome(outcome));
    }
    return steps;
}

std::vector<std::string> read_held(const Node& node, const Subjects& subjects) {
    std::vector<std::string> held;
    std::set<std::string> seen;
    for (const Node& item : node.items(0, max_held)) {
        held.push_back(item.text(longest_text));
        if (!subjects.leases.contains(held.back())) {
            item.fail(fmt::format("{} is not a lease that some step acquires (PROCESS[KEY])",
                                  faults::in_quotes(held.back())));
        }
        if (!seen.insert(held.back()).second) {
            item.fail(fmt::format("{} stands here twice", faults::in_quotes(held.back())));
        }
    }
    return held;
}

std::map<std::string, std::vector<std::string>> read_legacy(const Node& node) {
    std::map<std::string, std::vector<std::string>> legacy;
    for (const auto& [client, invariants] : node.members()) {
        auto& broken = legacy[client];
        for (const Node& item : invariants.items(0, max_invariants)) {
            broken.push_back(item.name());
            if (std::count(broken.begin(), broken.end(), broken.back()) > 1) {
                item.fail(fmt::format("\"{}\" stands here twice", broken.back()));
            }
        }
    }
    return legacy;
}

/// Replaces the parts of `expect` that the node names.
void read_parts(const Node& node, const Subjects& subjects, Expectation& expect) {
    if (const auto verdict = node.find("verdict")) {
        expect.verdict = verdicts.at(verdict->word(verdicts, "verdict"));
    }
    if (const auto steps = node.find("steps")) {
        expect.steps = read_steps(*steps, subjects);
    }
    if (const auto held = node.find("held")) {
        expect.held = read_held(*held, subjects);
    }
    if (const auto legacy = node.find("legacy")) {
        expect.legacy = read_legacy(*legacy);
    }
}

constexpr std::array<std::string_view, 5> fields{"verdict", "steps", "held", "legacy", "by_kind"};

}  // namespace

void read_expect(const Node& node, Scenario& scenario) {
    node.check_fields(fields);
    const Subjects subjects{step_names(scenario.processes), lease_names(scenario.processes)};
    read_parts(node, subjects, scenario.expect);
    const auto by_kind = node.find("by_kind");
    if (!by_kind) {
        return;
    }
    const std::vector<std::string_view> kinds(scenario.backend.kinds.begin(),
                                              scenario.backend.kinds.end());
    by_kind->check_fields(kinds);
    for (const auto& [kind, override] : by_kind->members()) {
        override.check_fields(std::span(fields).first<4>());
        Expectation expect = scenario.expect;
        read_parts(override, subjects, expect);
        scenario.expect_by_kind.emplace(kind, std::move(expect));
    }
}

Found read_found(const Node& node) {
    constexpr std::array<std::string_view, 4> found_fields{"client", "invariant", "subject",
                                                           "digest"};
    node.check_fields(found_fields);
    Found found;
    found.client = node.at("client").name();
    found.invariant = node.at("invariant").name();
    found.subject = node.at("subject").text(longest_text);
    found.digest = node.at("digest").text(longest_text);
    if (found.digest.size() != 16 ||
        found.digest.find_first_not_of("0123456789abcdef") != std::string::npos) {
        node.at("digest").fail("is not sixteen hexadecimal digits (0-9a-f)");
    }
    return found;
}

}  // namespace drydock::scenarios
