#include "format/parts.hpp"

#include <fmt/format.h>
#include <drydock/faults/text.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace drydock::scenarios {
namespace {

constexpr std::size_t max_processes = 100;
constexpr std::size_t max_actors = 1000;
constexpr std::size_t max_steps = 100'000;
constexpr std::size_t max_undo = 100;
constexpr std::uint32_t max_tries = 1000;

constexpr std::array<std::string_view, 11> verbs{"acquire", "hold", "release", "cleanup",
                                                 "attach",  "run",  "start",   "wait",
                                                 "stdin",   "kill", "close"};
constexpr std::array<std::string_view, 6> acquire_fields{"acquire",   "staging", "undo",
                                                         "bootstrap", "tries",   "deadline"};

std::optional<StagingTimes> read_staging(const Node& node) {
    if (node.is_boolean()) {
        return node.boolean() ? std::optional(StagingTimes{}) : std::nullopt;
    }
    constexpr std::array<std::string_view, 2> fields{"prepare", "clean"};
    node.check_fields(fields);
    StagingTimes times;
    if (const auto prepare = node.find("prepare")) {
        times.prepare = prepare->duration();
    }
    if (const auto clean = node.find("clean")) {
        times.clean = clean->duration();
    }
    return times;
}

std::optional<Duration> read_bootstrap(const Node& node) {
    if (node.is_boolean()) {
        return node.boolean() ? std::optional(Duration{}) : std::nullopt;
    }
    constexpr std::array<std::string_view, 1> fields{"duration"};
    node.check_fields(fields);
    return node.at("duration").duration();
}

std::vector<std::string> read_undo(const Node& node) {
    std::vector<std::string> names;
    for (const Node& item : node.items(0, max_undo)) {
        names.push_back(item.process_name());
        if (std::count(names.begin(), names.end(), names.back()) > 1) {
            item.fail(fmt::format("the undo step \"{}\" stands here twice", names.back()));
        }
    }
    return names;
}

AcquireStep read_acquire(const Node& node) {
    node.check_fields(acquire_fields);
    AcquireStep step{.key = node.at("acquire").key()};
    if (const auto staging = node.find("staging")) {
        step.staging = read_staging(*staging);
    }
    if (const auto undo = node.find("undo")) {
        step.undo = read_undo(*undo);
    }
    if (const auto bootstrap = node.find("bootstrap")) {
        step.bootstrap = read_bootstrap(*bootstrap);
    }
    if (const auto tries = node.find("tries")) {
        step.tries = tries->count(1, max_tries);
        if (!step.bootstrap) {
            tries->fail("counts the tries of the bootstrap, and there is none");
        }
    }
    if (const auto deadline = node.find("deadline")) {
        step.deadline = deadline->positive_duration();
    }
    return step;
}

CloseStep read_close(const Node& node) {
    if (!node.boolean()) {
        node.fail("close is true, or is left out");
    }
    return {};
}

/// What else a step may say. Any other field that is no verb is meant for one.
constexpr std::array<std::string_view, 9> other_fields{
    "in", "program", "timeout", "text", "undo", "bootstrap", "tries", "staging", "deadline"};

bool is_of_job(std::string_view verb) {
    return verb == "run" || verb == "start" || verb == "wait" || verb == "stdin" || verb == "kill";
}

/// Which verb a step is about; it must have exactly one.
std::size_t verb_of(const Node& node) {
    std::optional<std::size_t> verb;
    const auto members = node.members();
    for (std::size_t i = 0; i < verbs.size(); ++i) {
        if (!node.find(verbs[i])) {
            continue;
        }
        if (verb) {
            node.fail(fmt::format("a step does one thing, not {} and {}", verbs[*verb], verbs[i]));
        }
        verb = i;
    }
    if (verb) {
        return *verb;
    }
    const auto misspelt = std::find_if(members.begin(), members.end(), [](const auto& member) {
        return std::find(other_fields.begin(), other_fields.end(), member.first) ==
               other_fields.end();
    });
    if (misspelt == members.end()) {
        node.fail(fmt::format("{} (known: {})",
                              members.empty() ? "an empty step" : "does not say which step it is",
                              fmt::join(verbs, ", ")));
    }
    const auto& [field, member] = *misspelt;
    member.fail(fmt::format("unknown step {}{} (known: {})", faults::in_quotes(field),
                            faults::did_you_mean(field, verbs), fmt::join(verbs, ", ")));
}

/// Reads named things of which no two may have one name.
template <class Script, class Read>
std::vector<Script> read_scripts(const std::vector<Node>& nodes, std::string_view what, Read read) {
    std::vector<Script> scripts;
    std::set<std::string> names;
    for (const Node& node : nodes) {
        scripts.push_back(read(node));
        if (!names.insert(scripts.back().name).second) {
            node.at("name").fail(
                fmt::format("there already is {} named \"{}\"", what, scripts.back().name));
        }
    }
    return scripts;
}

ActorScript read_actor(const Node& node) {
    constexpr std::array<std::string_view, 2> fields{"name", "steps"};
    node.check_fields(fields);
    ActorScript actor{node.at("name").process_name(), {}};
    for (const Node& step : node.at("steps").items(0, max_steps)) {
        actor.steps.push_back(read_step(step));
    }
    return actor;
}

ProcessScript read_process(const Node& node) {
    constexpr std::array<std::string_view, 2> fields{"name", "actors"};
    node.check_fields(fields);
    ProcessScript process{
        node.at("name").process_name(),
        read_scripts<ActorScript>(node.at("actors").items(1, max_actors), "an actor", read_actor)};
    check_leases(process, node);
    return process;
}

}  // namespace

ActorStep read_step(const Node& node) {
    const std::size_t verb = verb_of(node);
    if (verb == 0) {
        return read_acquire(node);
    }
    if (is_of_job(verbs[verb])) {
        return read_job_step(node, verbs[verb]);
    }
    node.check_fields(std::span(verbs).subspan(verb, 1));
    const Node value = node.at(verbs[verb]);
    switch (verb) {
        case 1: return HoldStep{value.duration()};
        case 2: return ReleaseStep{value.key()};
        case 3: return CleanupStep{value.key()};
        case 4: return AttachStep{value.key()};
        default: return read_close(value);
    }
}

std::vector<ProcessScript> read_processes(const Node& node) {
    return read_scripts<ProcessScript>(node.items(1, max_processes), "a process", read_process);
}

}  // namespace drydock::scenarios
