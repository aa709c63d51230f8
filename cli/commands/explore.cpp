#include "commands/commands.hpp"
#include "commands/whole_number.hpp"
#include "edge/files.hpp"
#include "edge/progress.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>
#include <drydock/scenarios/reader.hpp>

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

namespace drydock::cli {
namespace {

struct ExploreOptions {
    std::vector<std::string> files;
    std::string strategy = "random";
    std::string client{scenarios::library_client};
    std::vector<std::string> backends;
    std::uint64_t runs = 1000;
    bool says_runs = false;
    std::uint64_t seed = 1;
    std::string budget;
    faults::RandomOptions limits;
    bool finds_all = false;
    bool without_plan = false;
};

class Explore {
public:
    Explore(const Context& context, const ExploreOptions& options)
        : context_(context), options_(options), budget_(budget_from(options.budget)) {}

    int run() {
        check_strategy();
        const auto entries = read_scenario_files(context_, options_.files);
        if (entries.empty()) search(nullptr);
        for (const auto& entry : entries)
            search(&entry.scenario);
        return conclude(context_, report_);
    }

private:
    void check_strategy() const {
        if (options_.strategy == "random") return;
        throw faults::InputError("", "--strategy: " + faults::in_quotes(options_.strategy) +
                                         " is not available (available: random)");
    }

    // A budget alone means: as many runs as it lasts for.
    std::uint64_t runs() const {
        const bool is_open = budget_ && !options_.says_runs;
        return is_open ? std::numeric_limits<std::uint64_t>::max() : options_.runs;
    }

    void search(const scenarios::Scenario* scenario) {
        scenarios::SearchOptions search{.client = context_.client(options_.client),
                                        .backends = backends(scenario),
                                        .scenario = scenario,
                                        .runs = runs(),
                                        .seed = options_.seed,
                                        .chooser = options_.limits,
                                        .stop_at_first = !options_.finds_all};
        Progress progress(context_, scenario == nullptr ? "random scenarios" : scenario->name,
                          options_.says_runs || !budget_ ? options_.runs : 0, budget_);
        scenarios::SearchReport found = explore_random(
            search, [&progress](auto runs, auto finds) { return progress(runs, finds); });
        for (const scenarios::SearchFind& find : found.finds)
            keep(find);
        add(report_, std::move(found));
        report_.seconds += progress.seconds();
    }

    std::vector<const sim::BackendKind*> backends(const scenarios::Scenario* scenario) const {
        std::vector<std::string> names = options_.backends;
        if (names.empty() && scenario != nullptr) names = scenario->backend.kinds;
        if (names.empty()) names = context_.backend_names();
        std::vector<const sim::BackendKind*> kinds;
        kinds.reserve(names.size());
        for (const std::string& name : names)
            kinds.push_back(&context_.backend(name));
        return kinds;
    }

    void keep(const scenarios::SearchFind& find) const {
        const std::string& out = context_.options.out;
        const std::string path = fmt::format("{}/{}-{}-{}.json", out.empty() ? "out" : out,
                                             find.capsule.name, find.run.backend, find.index);
        write_file(path, scenarios::write_scenario(find.capsule));
        if (!context_.options.is_quiet) {
            context_.say(
                fmt::format("found       in run {}: drydock replay {}\n", find.index, path));
        }
    }

    const Context& context_;
    const ExploreOptions& options_;
    std::optional<Duration> budget_;
    reports::Report report_;
};

void add_limits(CLI::App& command, ExploreOptions& options) {
    command.add_option("--max-choices", options.limits.max_choices, "of one plan")
        ->check(CLI::Range(1, 32))
        ->capture_default_str();
    command.add_option("--max-cancels", options.limits.max_cancels, "of one plan")
        ->check(CLI::Range(0, 32))
        ->capture_default_str();
    command.add_option("--max-crashes", options.limits.max_crashes, "of one plan")
        ->check(CLI::Range(0, 32))
        ->capture_default_str();
}

}  // namespace

void add_explore(CLI::App& app, Context& context, Action& action) {
    const auto options = std::make_shared<ExploreOptions>();
    CLI::App& command = add_command(
        app, context, "explore", "Search for plans that break an invariant",
        "  drydock explore --runs 100000                   random plans over random scenarios\n"
        "  drydock explore --budget 60s --seed 7 --client strix-768\n"
        "  drydock explore --without-plan scenario.json    random plans over this one");
    command.add_option("SCENARIO", options->files,
                       "scenario files or folders; without any, scenarios are drawn too");
    command.add_option("--strategy", options->strategy, "random")->capture_default_str();
    command.add_option("--client", options->client, "who is tested")->capture_default_str();
    command.add_option("--backend", options->backends, "only on these; else all, in turns");
    CLI::Option* const runs =
        command.add_option("--runs", options->runs, "at most; per scenario file")
            ->check(positive_number())
            ->capture_default_str();
    command.add_option("--budget", options->budget, "stop after this time, as in 60s")
        ->type_name("DURATION");
    command.add_option("--seed", options->seed, "run i depends on it and on i")
        ->check(whole_number())
        ->capture_default_str();
    add_limits(command, *options);
    command.add_flag("--all", options->finds_all, "go on after the first find");
    command.add_flag("--without-plan", options->without_plan,
                     "leave out the scenario's own plan; random plans always replace it");
    command.callback([&context, &action, options, runs] {
        options->says_runs = runs->count() > 0;
        action = [&context, options] { return Explore(context, *options).run(); };
    });
}

}  // namespace drydock::cli
