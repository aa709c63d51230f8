#include <drydock/cli/cli_main.hpp>

#include "commands/commands.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>
#include <drydock/version.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace drydock {
namespace cli {
namespace {

constexpr const char* about =
    "Takes the code that starts, uses and tears down job containers out of real time and real\n"
    "networks, and proves that it leaks no container and runs no job twice.";

constexpr const char* codes =
    "Exit codes, the first that applies: 2 usage or invalid input; 4 an endpoint or tool is not\n"
    "there; 3 not deterministic; 1 an invariant is broken or an expectation not met; 3 void: a\n"
    "chosen fault changed nothing; 0 none of these.";

void add_commands(CLI::App& app, Context& context, Action& action) {
    add_run(app, context, action);
    add_replay(app, context, action);
    add_explore(app, context, action);
    add_gate(app, context, action);
    add_mutants(app, context, action);
    add_serve(app, context, action);
    add_list(app, context, action);
    add_digests(app, context, action);
}

// CLI11 would only say that a subcommand is missing.
bool names_unknown_command(const CLI::App& app, int argc, const char* const* argv) {
    if (argc < 2 || *argv[1] == '-') return false;
    const std::string_view given = argv[1];
    std::vector<std::string_view> known;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        if (command->get_name() == given) return false;
        if (!command->get_group().empty()) names.push_back(command->get_name());
    }
    known.assign(names.begin(), names.end());
    fmt::print(stderr, "drydock: unknown subcommand {}{} (known: {})\n", faults::in_quotes(given),
               faults::did_you_mean(given, known), fmt::join(known, ", "));
    return true;
}

// CLI11 has exit codes of its own; ours are two: what was asked for was shown, or not understood.
int parse(CLI::App& app, int argc, const char* const* argv) {
    if (names_unknown_command(app, argc, argv)) return bad_input;
    try {
        app.parse(argc, argv);
        return ok;
    } catch (const CLI::Success& shown) {
        app.exit(shown);
        return -1;
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "drydock: {}\nMore with --help.\n", error.what());
        return bad_input;
    }
}

int perform(const Action& action) {
    try {
        return action();
    } catch (const faults::InputError& error) {
        fmt::print(stderr, "drydock: {}\n", error.what());
        return bad_input;
    } catch (const NotThere& error) {
        fmt::print(stderr, "drydock: {}\n", error.what());
        return not_there;
    } catch (const std::exception& error) {
        fmt::print(stderr, "drydock: a defect: {}\n", error.what());
        return broken;
    }
}

}  // namespace

CLI::App& add_command(CLI::App& app, Context& context, const char* name, const char* about_it,
                      const char* examples) {
    CLI::App& command = *app.add_subcommand(name, about_it);
    CommonOptions& options = context.options;
    command.add_option("--json", options.json, "write drydock.outcome/1 to this file; -: stdout")
        ->type_name("FILE");
    command.add_option("--out", options.out, "folder for outcome, capsules and stories")
        ->type_name("DIR");
    command.add_flag("--quiet", options.is_quiet, "say only what is not as it should be");
    command.add_flag("--no-color", options.no_color, "no colors, as with NO_COLOR set");
    command.footer(fmt::format("Examples:\n{}", examples));
    return command;
}

}  // namespace cli

int cli_main(int argc, const char* const* argv, const sim::BackendRegistry& backends,
             const scenarios::ClientRegistry& clients) {
    CLI::App app(cli::about, "drydock");
    app.set_version_flag("--version", std::string(version));
    app.footer(cli::codes);
    app.require_subcommand(1);
    cli::Context context{backends, clients};
    cli::Action action;
    cli::add_commands(app, context, action);
    const int parsed = cli::parse(app, argc, argv);
    if (parsed != cli::ok) return parsed == -1 ? cli::ok : parsed;
    return cli::perform(action);
}

int cli_main(int argc, const char* const* argv) {
    sim::BackendRegistry backends;
    sim::register_builtin_backends(backends);
    return cli_main(argc, argv, backends, scenarios::builtin_clients());
}

}  // namespace drydock
