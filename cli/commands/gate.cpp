#include "commands/commands.hpp"
#include "commands/whole_number.hpp"
#include "edge/environment.hpp"
#include "edge/files.hpp"
#include "edge/progress.hpp"
#include "edge/source_dir.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/reports/gate.hpp>
#include <drydock/scenarios/reader.hpp>

#include <fmt/format.h>

#include <filesystem>
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
    std::string junit;
    std::string markdown;
};

// Before anything runs: a gate's result should not be lost to a misspelt folder.
void check_reports(const Context& context, const GateOptions& options) {
    std::size_t on_stdout = 0;
    for (const std::string& path : {context.options.json, options.junit, options.markdown}) {
        on_stdout += path == "-" ? 1 : 0;
        if (!path.empty() && path != "-") check_writable(path);
    }
    if (on_stdout <= 1) return;
    throw faults::InputError("", "only one of --json, --junit and --markdown can be \"-\"");
}

// As short as it can be typed: below the current folder, relative to it.
std::string as_typed(const std::string& path) {
    std::error_code error;
    const std::filesystem::path here = std::filesystem::current_path(error);
    const std::string relative = std::filesystem::path(path).lexically_proximate(here).string();
    return error || relative.starts_with("..") ? path : relative;
}

void write_reports(const Context& context, const scenarios::GateReport& found,
                   const scenarios::GateOptions& gate, const GateOptions& options, double seconds) {
    if (options.junit.empty() && options.markdown.empty()) return;
    reports::GateAccount account = reports::account_of(found, gate);
    account.seconds = seconds;
    if (!options.junit.empty()) context.write_report(options.junit, reports::junit_xml(account));
    if (!options.markdown.empty())
        context.write_report(options.markdown, reports::markdown(account));
}

void keep_finds(const Context& context, scenarios::GateReport& gate) {
    for (scenarios::SearchFind& find : gate.random.finds) {
        const std::string& out = context.options.out;
        const std::string path = fmt::format("{}/{}-{}.json", out.empty() ? "out" : out,
                                             find.capsule.name, find.run.backend);
        write_file(path, scenarios::write_scenario(find.capsule));
        find.run.file = path;
        context.say(fmt::format("found       in run {}: drydock replay {}\n", find.index, path));
    }
}

int run_gate(const Context& context, const GateOptions& options) {
    const std::optional<Duration> budget = budget_from(options.budget);
    const std::uint64_t open = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t plans = options.plans ? *options.plans
                                : budget      ? open
                                              : scaled(default_plans);
    const scenarios::GateOptions gate{
        .backends = context.backends,
        .clients = context.clients,
        .corpus = read_scenario_files(context, {as_typed(options.corpus)}),
        .plans = plans,
        .seed = options.seed};
    check_reports(context, options);
    Progress progress(context, "gate", plans == open ? 0 : plans, budget);
    scenarios::GateReport found = scenarios::run_gate(
        gate, [&progress](auto runs, auto finds) { return progress(runs, finds); });
    keep_finds(context, found);
    const double seconds = progress.seconds();
    write_reports(context, found, gate, options, seconds);
    reports::Report report = reports::report_of(std::move(found));
    report.seconds = seconds;
    return conclude(context, report);
}

}  // namespace

void add_gate(CLI::App& app, Context& context, Action& action) {
    const auto options = std::make_shared<GateOptions>();
    CLI::App& command = add_command(
        app, context, "gate", "What CI runs: all incidents, then a random search",
        "  drydock gate\n"
        "  drydock gate --budget 60s --json gate.json\n"
        "  drydock gate --junit build/gate.xml          for CI systems that show tests\n"
        "  drydock gate --markdown $GITHUB_STEP_SUMMARY for a job's summary page");
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
    command.add_option("--junit", options->junit, "write JUnit's XML to this file; -: stdout")
        ->type_name("FILE");
    command.add_option("--markdown", options->markdown, "write a summary to this file; -: stdout")
        ->type_name("FILE");
    command.callback([&context, &action, options] {
        context.options.stdout_is_taken = options->junit == "-" || options->markdown == "-";
        action = [&context, options] { return run_gate(context, *options); };
    });
}

}  // namespace drydock::cli
