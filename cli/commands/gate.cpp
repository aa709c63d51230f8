#include "commands/commands.hpp"
#include "commands/whole_number.hpp"
#include "edge/environment.hpp"
#include "edge/files.hpp"
#include "edge/progress.hpp"
#include "edge/source_dir.hpp"

#include <drydock/scenarios/gate.hpp>
#include <drydock/scenarios/reader.hpp>

#include <fmt/format.h>

#include <limits>
#include <memory>

namespace drydock::cli {
namespace {

constexpr std::uint64_t default_plans = 2000;

struct GateOptions {
    std::string corpus = source_dir() + "/scenarios/incidents";
    std::optional<std::uint64_t> plans;
    std::uint64_t seed = 1;
    std::string budget;
};

void keep_finds(const Context& context, const scenarios::GateReport& gate) {
    for (const scenarios::SearchFind& find : gate.random.finds) {
        const std::string& out = context.options.out;
        const std::string path = fmt::format("{}/{}-{}.json", out.empty() ? "out" : out,
                                             find.capsule.name, find.run.backend);
        write_file(path, scenarios::write_scenario(find.capsule));
        context.say(fmt::format("found       in run {}: drydock replay {}\n", find.index, path));
    }
}

int run_gate(const Context& context, const GateOptions& options) {
    const std::optional<Duration> budget = budget_from(options.budget);
    const std::uint64_t open = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t plans = options.plans ? *options.plans
                                : budget      ? open
                                              : scaled(default_plans);
    const scenarios::GateOptions gate{.backends = context.backends,
                                      .clients = context.clients,
                                      .corpus = read_scenario_files(context, {options.corpus}),
                                      .plans = plans,
                                      .seed = options.seed};
    Progress progress(context, "gate", plans == open ? 0 : plans, budget);
    scenarios::GateReport found = scenarios::run_gate(
        gate, [&progress](auto runs, auto finds) { return progress(runs, finds); });
    keep_finds(context, found);
    reports::Report report = reports::report_of(std::move(found));
    report.seconds = progress.seconds();
    return conclude(context, report);
}

}  // namespace

void add_gate(CLI::App& app, Context& context, Action& action) {
    const auto options = std::make_shared<GateOptions>();
    CLI::App& command =
        add_command(app, context, "gate", "What CI runs: all incidents, then a random search",
                    "  drydock gate\n"
                    "  drydock gate --budget 60s --json gate.json");
    command.add_option("--corpus", options->corpus, "the folder of scenarios")
        ->type_name("DIR")
        ->capture_default_str();
    command.add_option("--plans", options->plans, "of the random search [2000 x DRYDOCK_WORK]")
        ->check(whole_number());
    command.add_option("--seed", options->seed, "of the random search")
        ->check(whole_number())
        ->capture_default_str();
    command.add_option("--budget", options->budget, "of the random search, as in 60s")
        ->type_name("DURATION");
    command.callback([&context, &action, options] {
        action = [&context, options] { return run_gate(context, *options); };
    });
}

}  // namespace drydock::cli
