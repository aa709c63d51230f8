#include "commands/commands.hpp"

#include "edge/files.hpp"
#include "edge/stopwatch.hpp"

#include <drydock/reports/trace.hpp>
#include <drydock/scenarios/reader.hpp>

#include <memory>
#include <utility>

namespace drydock::cli {
namespace {

using faults::Verdict;
using scenarios::RunReport;
using scenarios::TestedRun;

struct RunOptions {
    std::vector<std::string> files;
    std::string client;
    std::string plan;
    std::string fidelity = "message";
    bool checks_determinism = false;
};

class Runs {
public:
    Runs(const Context& context, const RunOptions& options)
        : context_(context),
          options_(options),
          client_(context.client(options.client.empty() ? scenarios::library_client
                                                        : std::string_view(options.client))) {}

    int run() {
        auto entries = read_scenario_files(context_, options_.files, true);
        if (!options_.plan.empty()) {
            const std::string plan = read_file(options_.plan);
            for (auto& [file, scenario] : entries)
                scenario.plan = scenarios::read_plan(plan, options_.plan, &scenario.processes);
        }
        const Stopwatch stopwatch;
        reports::Report report;
        for (const auto& entry : entries) {
            for (const std::string& kind : entry.scenario.backend.kinds) {
                add(report, test(entry.scenario, context_.backend(kind)));
            }
        }
        report.seconds = stopwatch.seconds();
        return conclude(context_, report);
    }

private:
    TestedRun test(const scenarios::Scenario& scenario, const sim::BackendKind& backend) const {
        const bool with_expectations = options_.client.empty();
        const scenarios::RunRequest request{.scenario = scenario,
                                            .backend = backend,
                                            .client = client_,
                                            .keep_trace = options_.checks_determinism};
        TestedRun tested{scenario.name, backend.name, client_.name,
                         run_plan(request, scenario.plan, with_expectations)};
        if (!with_expectations) ask_invariants_only(tested.report.outcome);
        if (options_.checks_determinism) {
            const RunReport again = run_plan(request, scenario.plan, with_expectations);
            compare(tested, again, scenario);
        }
        return tested;
    }

    static void ask_invariants_only(faults::Outcome& outcome) {
        if (outcome.verdict != Verdict::expectation) return;
        outcome.verdict = outcome.is_void ? Verdict::void_ : Verdict::pass;
    }

    static void compare(TestedRun& tested, const RunReport& again,
                        const scenarios::Scenario& scenario) {
        if (tested.report.outcome.digest == again.outcome.digest) return;
        tested.report.outcome.verdict = Verdict::nondeterministic;
        tested.notes.push_back(reports::first_difference(scenario, tested.report, again));
    }

    const Context& context_;
    const RunOptions& options_;
    const scenarios::ClientKind& client_;
};

}  // namespace

void add_run(CLI::App& app, Context& context, Action& action) {
    const auto options = std::make_shared<RunOptions>();
    CLI::App& command = add_command(
        app, context, "run", "Run scenarios with their own plans",
        "  drydock run scenarios/incidents                 the library, with expectations\n"
        "  drydock run --client strix-768 strix-768.json   whatever the file expects of it\n"
        "  drydock run --plan plan.json --check-determinism scenario.json");
    command.add_option("SCENARIO", options->files, "scenario files, or folders of them")
        ->required();
    command.add_option("--client", options->client,
                       "run this client; only invariants are asked then, not expectations");
    command.add_option("--plan", options->plan, "a plan to follow instead of the scenario's own");
    command.add_option("--fidelity", options->fidelity, "message")
        ->check(CLI::IsMember({"message"}));
    command.add_flag("--check-determinism", options->checks_determinism,
                     "run everything twice; exit code 3 if the runs differ");
    command.callback([&context, &action, options] {
        action = [&context, options] { return Runs(context, *options).run(); };
    });
}

}  // namespace drydock::cli
