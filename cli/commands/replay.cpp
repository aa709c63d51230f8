#include "commands/commands.hpp"
#include "edge/files.hpp"
#include "edge/stopwatch.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/reports/story.hpp>
#include <drydock/reports/trace.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

namespace drydock::cli {
namespace {

using scenarios::TestedRun;

struct ReplayOptions {
    std::string file;
    std::string client;
    std::string backend;
    std::string trace;
};

class Replay {
public:
    Replay(const Context& context, const ReplayOptions& options)
        : context_(context),
          options_(options),
          entry_(read_scenario_file(context, options.file, true)),
          client_(context.client(client_name())) {}

    int run() {
        if (!options_.trace.empty()) check_writable(options_.trace);
        const Stopwatch stopwatch;
        reports::Report report;
        bool reproduces = false;
        for (const std::string& kind : backends()) {
            TestedRun tested = replay_on(context_.backend(kind));
            reproduces = reproduces || is_reproduced(tested.report);
            for (const faults::Violation& violation : tested.report.outcome.violations)
                broken_.insert(violation.invariant);
            add(report, std::move(tested));
        }
        report.seconds = stopwatch.seconds();
        say_result(reproduces);
        conclude_silently(context_, report);
        return reproduces ? broken : ok;
    }

private:
    std::string client_name() const {
        if (!options_.client.empty()) return options_.client;
        if (entry_.scenario.found) return entry_.scenario.found->client;
        throw faults::InputError("/found", "no field \"found\" says who is to be run; use --client",
                                 entry_.file);
    }

    std::vector<std::string> backends() const {
        if (!options_.backend.empty()) return {options_.backend};
        return entry_.scenario.backend.kinds;
    }

    TestedRun replay_on(const sim::BackendKind& backend) const {
        const scenarios::Scenario& scenario = entry_.scenario;
        TestedRun tested{
            scenario.name, backend.name, client_.name,
            scenarios::run_plan(
                {.scenario = scenario, .backend = backend, .client = client_, .keep_trace = true},
                scenario.plan, false)};
        const std::string told = reports::story(scenario, tested);
        if (!context_.options.is_quiet) context_.say(told + "\n");
        if (!context_.options.out.empty()) {
            write_file(
                fmt::format("{}/{}-{}.txt", context_.options.out, scenario.name, backend.name),
                told);
        }
        if (!options_.trace.empty()) {
            write_file(options_.trace, reports::trace_text(scenario, tested.report));
        }
        return tested;
    }

    // What was found, if the file says it; else any broken invariant.
    bool is_reproduced(const scenarios::RunReport& report) const {
        const auto& violations = report.outcome.violations;
        const auto& found = entry_.scenario.found;
        if (!found) return !violations.empty();
        return std::any_of(violations.begin(), violations.end(), [&](const auto& violation) {
            return violation.invariant == found->invariant;
        });
    }

    void say_result(bool reproduces) const {
        const auto& found = entry_.scenario.found;
        const std::string broken =
            broken_.empty() ? "no invariant" : fmt::format("{}", fmt::join(broken_, " and "));
        const std::string all =
            fmt::format("{} {} broken", broken, broken_.size() > 1 ? "are" : "is");
        if (!found) return context_.say(all + "\n");
        context_.say(fmt::format("{}: the capsule was found with {} broken, and here {}\n",
                                 reproduces ? "reproduced" : "not reproduced", found->invariant,
                                 all));
    }

    const Context& context_;
    const ReplayOptions& options_;
    scenarios::CorpusEntry entry_;
    const scenarios::ClientKind& client_;
    std::set<std::string> broken_;  // invariants, on any backend
};

}  // namespace

void add_replay(CLI::App& app, Context& context, Action& action) {
    const auto options = std::make_shared<ReplayOptions>();
    CLI::App& command = add_command(
        app, context, "replay", "Run a capsule once and tell its story",
        "  drydock replay out/random-1f2e-docker-37.json    exit code 1 if it reproduces\n"
        "  drydock replay --client library capsule.json     what the library makes of it");
    command.add_option("CAPSULE", options->file, "a scenario with plan and found")->required();
    command.add_option("--client", options->client, "instead of the one that it was found with");
    command.add_option("--backend", options->backend, "only on this one of the scenario's");
    command.add_option("--trace", options->trace, "write every event to this file")
        ->type_name("FILE");
    command.callback([&context, &action, options] {
        action = [&context, options] { return Replay(context, *options).run(); };
    });
}

}  // namespace drydock::cli
