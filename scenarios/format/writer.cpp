#include <drydock/scenarios/reader.hpp>

#include <drydock/faults/duration.hpp>

#include <nlohmann/json.hpp>

namespace drydock::scenarios {
namespace {

/// Keeps the order in which fields are written.
using Json = nlohmann::ordered_json;
using faults::format_duration;

struct StepWriter {
    Json operator()(const AcquireStep& step) const {
        Json json{{"acquire", step.key}};
        if (step.staging) {
            json["staging"] = Json{{"prepare", format_duration(step.staging->prepare)},
                                   {"clean", format_duration(step.staging->clean)}};
        }
        if (!step.undo.empty()) {
            json["undo"] = step.undo;
        }
        if (step.bootstrap) {
            json["bootstrap"] = Json{{"duration", format_duration(*step.bootstrap)}};
            json["tries"] = step.tries;
        }
        if (step.deadline) {
            json["deadline"] = format_duration(*step.deadline);
        }
        return json;
    }

    Json operator()(const HoldStep& step) const { return {{"hold", format_duration(step.time)}}; }
    Json operator()(const ReleaseStep& step) const { return {{"release", step.key}}; }
    Json operator()(const CleanupStep& step) const { return {{"cleanup", step.key}}; }
    Json operator()(const AttachStep& step) const { return {{"attach", step.key}}; }
    Json operator()(const CloseStep&) const { return {{"close", true}}; }
    Json operator()(const RunStep& step) const {
        Json json{{step.waits ? "run" : "start", step.job},
                  {"in", step.key},
                  {"program", write_program(step.program)}};
        if (step.timeout) {
            json["timeout"] = format_duration(*step.timeout);
        }
        return json;
    }
    Json operator()(const WaitStep& step) const { return {{"wait", step.job}, {"in", step.key}}; }
    Json operator()(const StdinStep& step) const {
        return {{"stdin", step.job}, {"in", step.key}, {"text", step.text}};
    }
    Json operator()(const KillStep& step) const { return {{"kill", step.job}, {"in", step.key}}; }

private:
    static Json write_program(const JobProgram& program) {
        const JobProgram plain;
        Json json{{"takes", format_duration(program.takes)}};
        const auto add = [&json](std::string_view field, const auto& value, const auto& usual) {
            if (value != usual) {
                json[std::string(field)] = value;
            }
        };
        add("out", program.out, plain.out);
        add("err", program.err, plain.err);
        add("exit", program.exit_code, plain.exit_code);
        add("reads", program.reads, plain.reads);
        add("children", program.children, plain.children);
        add("ignores_term", program.ignores_term, plain.ignores_term);
        add("launcher", program.is_launcher, plain.is_launcher);
        return json;
    }
};

struct BackoffWriter {
    Json operator()(const Exponential& backoff) const {
        return {{"base", format_duration(backoff.base)},
                {"factor", backoff.factor},
                {"ceiling", format_duration(backoff.ceiling)},
                {"jitter", backoff.jitter}};
    }

    Json operator()(const ExplicitDelays& delays) const {
        Json list = Json::array();
        for (const Duration delay : delays) {
            list.push_back(format_duration(delay));
        }
        return list;
    }
};

Json write_client(const Scenario& scenario) {
    const Policy& policy = scenario.client;
    Json json{{"attempts", policy.attempts},
              {"backoff", std::visit(BackoffWriter{}, policy.backoff)},
              {"request_timeout", format_duration(policy.request_timeout)},
              {"ready_timeout", format_duration(policy.ready_timeout)},
              {"teardown_deadline", format_duration(policy.teardown_deadline)},
              {"late_horizon", format_duration(policy.late_horizon)},
              {"late_watch", format_duration(policy.late_watch)},
              {"settle", format_duration(policy.settle)},
              {"restart_after", format_duration(scenario.restart_after)}};
    if (policy.deadline) {
        json["deadline"] = format_duration(*policy.deadline);
    }
    return json;
}

Json write_processes(const std::vector<ProcessScript>& processes) {
    Json list = Json::array();
    for (const ProcessScript& process : processes) {
        Json actors = Json::array();
        for (const ActorScript& actor : process.actors) {
            Json steps = Json::array();
            for (const ActorStep& step : actor.steps) {
                steps.push_back(std::visit(StepWriter{}, step));
            }
            actors.push_back(Json{{"name", actor.name}, {"steps", std::move(steps)}});
        }
        list.push_back(Json{{"name", process.name}, {"actors", std::move(actors)}});
    }
    return list;
}

Json write_expectation(const Expectation& expect) {
    return {{"verdict", expect.verdict},
            {"steps", expect.steps},
            {"held", expect.held},
            {"legacy", expect.legacy}};
}

Json write_expect(const Scenario& scenario) {
    Json json = write_expectation(scenario.expect);
    for (const auto& [kind, expect] : scenario.expect_by_kind) {
        json["by_kind"][kind] = write_expectation(expect);
    }
    return json;
}

}  // namespace

std::string write_scenario(const Scenario& scenario) {
    Json json{{"schema", "drydock.scenario/1"}, {"name", scenario.name}};
    if (!scenario.about.empty()) {
        json["about"] = scenario.about;
    }
    if (!scenario.source.empty()) {
        json["source"] = scenario.source;
    }
    const auto& kinds = scenario.backend.kinds;
    json["backend"]["kind"] = kinds.size() == 1 ? Json(kinds.front()) : Json(kinds);
    json["client"] = write_client(scenario);
    json["processes"] = write_processes(scenario.processes);
    json["plan"] = Json(faults::to_json(scenario.plan));
    json["expect"] = write_expect(scenario);
    if (scenario.found) {
        const Found& found = *scenario.found;
        json["found"] = Json{{"client", found.client},
                             {"invariant", found.invariant},
                             {"subject", found.subject},
                             {"digest", found.digest}};
    }
    return json.dump(2) + "\n";
}

}  // namespace drydock::scenarios
