#include <drydock/cli/cli_main.hpp>

#include "commands/commands.hpp"
#include "edge/external.hpp"
#include "edge/files.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/version.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace drydock {
namespace cli {
namespace {

constexpr const char* about =
    "Takes the code that starts, uses and tears down job containers out of real time and real\n"
    "networks, and searches for faults that make it leak a container, run a job twice or lose its\n"
    "result.";

constexpr const char* codes =
    "Exit codes, the first that applies: 2 usage or invalid input; 4 an endpoint or tool is not\n"
    "there, or standard output cannot be written; 3 not deterministic; 1 an invariant is broken or "
    "an\n"
    "expectation not met; 3 void: a chosen fault changed nothing; 0 none of these.";

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

// No option has a meaning for it, and CLI11 would take it for an option that was not given.
void refuse_empty_values(CLI::App& app) {
    const CLI::Validator is_not_empty(
        [](const std::string& text) {
            return text.empty() ? std::string("must not be empty") : std::string();
        },
        "");
    for (CLI::App* command : app.get_subcommands(nullptr)) {
        for (CLI::Option* option : command->get_options()) {
            if (option->get_expected_max() > 0) option->check(is_not_empty);
        }
    }
}

// CLI11 would only say that a subcommand is missing.
void check_first_word(const CLI::App& app, std::string_view given) {
    std::vector<std::string> names{"--help", "--version"};
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        if (command->get_name() == given) return;
        if (!command->get_group().empty()) names.push_back(command->get_name());
    }
    const bool is_option = given.starts_with('-');
    if (is_option && app.get_option_no_throw(std::string(given)) != nullptr) return;
    const std::span<const std::string> all = names;
    const auto of_kind = is_option ? all.first(2) : all.subspan(2);
    const std::vector<std::string_view> known(of_kind.begin(), of_kind.end());
    fail_unknown(is_option ? "option" : "subcommand", given, known);
}

// CLI11 has exit codes of its own; ours are two: what was asked for is shown, or not understood.
void parse(CLI::App& app, int argc, const char* const* argv, Output& output, Action& action) {
    if (argc > 1) check_first_word(app, argv[1]);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& shown) {
        std::ostringstream text;
        app.exit(shown, text, text);
        action = [&output, shows = text.str()] {
            output.print(shows);
            return ok;
        };
    } catch (const CLI::ParseError& error) {
        throw faults::InputError("", fmt::format("{}\nMore with --help.", error.what()));
    }
}

void complain(std::string_view text) { print_error(fmt::format("drydock: {}\n", text)); }

int perform(const Action& work) {
    try {
        return work();
    } catch (const faults::InputError& error) {
        complain(error.what());
        return bad_input;
    } catch (const std::filesystem::filesystem_error& error) {
        complain(fmt::format("{}: {}", error.path1().string(), error.code().message()));
        return bad_input;
    } catch (const NotThere& error) {
        complain(error.what());
        return not_there;
    } catch (const Stopped& stopped) {
        complain(fmt::format("stopped by signal {}", stopped.signal));
        return 128 + stopped.signal;
    } catch (const std::exception& error) {
        complain(fmt::format("a defect: {}", error.what()));
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
    cli::Output output;
    cli::Context context{backends, clients, output};
    cli::Action action;
    cli::add_commands(app, context, action);
    cli::refuse_empty_values(app);
    return cli::perform([&] {
        cli::parse(app, argc, argv, output, action);
        cli::check_outputs(context.options);
        const int code = action();
        output.check();
        return code;
    });
}

int cli_main(int argc, const char* const* argv) {
    sim::BackendRegistry backends;
    sim::register_builtin_backends(backends);
    return cli_main(argc, argv, backends, scenarios::builtin_clients());
}

}  // namespace drydock
