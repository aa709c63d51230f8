#pragma once

#include "context.hpp"

#include <CLI/CLI.hpp>

#include <functional>

namespace drydock::cli {

/// Sets the program's exit code by running what the command line asked for.
using Action = std::function<int()>;

/// Each adds its subcommand, which, if chosen, leaves its work in `action`.
void add_run(CLI::App& app, Context& context, Action& action);
void add_replay(CLI::App& app, Context& context, Action& action);
void add_explore(CLI::App& app, Context& context, Action& action);
void add_gate(CLI::App& app, Context& context, Action& action);
void add_mutants(CLI::App& app, Context& context, Action& action);
void add_digests(CLI::App& app, Context& context, Action& action);
void add_serve(CLI::App& app, Context& context, Action& action);
void add_list(CLI::App& app, Context& context, Action& action);

/// A subcommand with what all of them take.
CLI::App& add_command(CLI::App& app, Context& context, const char* name, const char* about,
                      const char* examples);

}  // namespace drydock::cli
