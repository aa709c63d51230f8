#include "format/parts.hpp"

#include "runner/subject.hpp"

#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <array>
#include <set>

namespace drydock::scenarios {
namespace {

constexpr std::uint32_t max_output = 16 * 1024 * 1024;
constexpr std::uint32_t max_children = 100;
constexpr std::uint32_t max_exit_code = 255;
constexpr std::size_t max_text = 4096;  // one write to a pipe is whole up to here

JobProgram read_program(const Node& node) {
    constexpr std::array<std::string_view, 8> fields{
        "takes", "out", "err", "exit", "reads", "children", "ignores_term", "launcher"};
    node.check_fields(fields);
    JobProgram program;
    if (const auto takes = node.find("takes")) {
        program.takes = takes->duration();
    }
    const auto read_count = [&node](std::string_view field, std::uint32_t most) {
        const auto count = node.find(field);
        return count ? count->count(0, most) : 0;
    };
    program.out = read_count("out", max_output);
    program.err = read_count("err", max_output);
    program.exit_code = static_cast<int>(read_count("exit", max_exit_code));
    program.reads = read_count("reads", max_output);
    program.children = read_count("children", max_children);
    if (const auto ignores = node.find("ignores_term")) {
        program.ignores_term = ignores->boolean();
    }
    if (const auto launcher = node.find("launcher")) {
        program.is_launcher = launcher->boolean();
    }
    return program;
}

RunStep read_launch(const Node& node, std::string_view verb) {
    const std::array<std::string_view, 4> fields{verb, "in", "program", "timeout"};
    node.check_fields(fields);
    RunStep step{.key = node.at("in").key(), .job = node.at(verb).job_id(), .program = {}};
    if (const auto program = node.find("program")) {
        step.program = read_program(*program);
    }
    if (const auto timeout = node.find("timeout")) {
        step.timeout = timeout->positive_duration();
    }
    step.waits = verb == "run";
    return step;
}

StdinStep read_stdin(const Node& node) {
    constexpr std::array<std::string_view, 3> fields{"stdin", "in", "text"};
    node.check_fields(fields);
    return {node.at("in").key(), node.at("stdin").job_id(), node.at("text").text(max_text)};
}

}  // namespace

ActorStep read_job_step(const Node& node, std::string_view verb) {
    if (verb == "run" || verb == "start") {
        return read_launch(node, verb);
    }
    if (verb == "stdin") {
        return read_stdin(node);
    }
    const std::array<std::string_view, 2> fields{verb, "in"};
    node.check_fields(fields);
    if (verb == "wait") {
        return WaitStep{node.at("in").key(), node.at(verb).job_id()};
    }
    return KillStep{node.at("in").key(), node.at(verb).job_id()};
}

void check_leases(const ProcessScript& process, const Node& node) {
    std::set<std::string_view> leases;
    for (const ActorScript& actor : process.actors) {
        for (const ActorStep& step : actor.steps) {
            const bool gets_it = std::holds_alternative<AcquireStep>(step) ||
                                 std::holds_alternative<AttachStep>(step);
            if (gets_it) {
                leases.insert(key_of(step));
            }
        }
    }
    for (std::size_t i = 0; i < process.actors.size(); ++i) {
        const std::vector<ActorStep>& steps = process.actors[i].steps;
        for (std::size_t j = 0; j < steps.size(); ++j) {
            if (job_of(steps[j]).empty() || leases.contains(key_of(steps[j]))) {
                continue;
            }
            const Node actor = node.at("actors").items(0, process.actors.size())[i];
            actor.at("steps").items(0, steps.size())[j].at("in").fail(
                fmt::format("no step of {} acquires or attaches {}", process.name,
                            faults::in_quotes(key_of(steps[j]))));
        }
    }
}

}  // namespace drydock::scenarios
