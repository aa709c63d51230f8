#pragma once

#include "edge/output.hpp"

#include <drydock/reports/console.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/sim/backends.hpp>

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::cli {

/// Exit codes; README.md says in which order they apply.
enum ExitCode : int { ok = 0, broken = 1, bad_input = 2, shows_nothing = 3, not_there = 4 };

int exit_code(faults::Verdict verdict);

/// An endpoint, tool or file system that does not do its part: exit code 4.
struct NotThere : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What all subcommands take.
struct CommonOptions {
    std::string json;  ///< file, "-": standard output
    std::string out;   ///< folder for everything a command leaves behind
    bool is_quiet = false;
    bool no_color = false;
    bool stdout_is_taken = false;  ///< by a report for machines
};

/// What a subcommand works with.
struct Context {
    const sim::BackendRegistry& backends;
    const scenarios::ClientRegistry& clients;
    Output& output;
    CommonOptions options{};

    std::vector<std::string> backend_names() const;
    /// These throw faults::InputError with what would have been right.
    const sim::BackendKind& backend(std::string_view name) const;
    const scenarios::ClientKind& client(std::string_view name) const;

    reports::ConsoleOptions console() const;
    /// Text for people: to standard output, or to standard error where a report takes that.
    void say(std::string_view text) const;
    /// Writes a report to that file, or to standard output if it is "-".
    void write_report(const std::string& path, std::string_view text) const;
};

/// Throws faults::InputError: no such client, say, and what would have been right.
[[noreturn]] void fail_unknown(std::string_view what, std::string_view name,
                               std::span<const std::string_view> known);

/// Shows a report in every form that was asked for, and returns the exit code it stands for.
int conclude(const Context& context, const reports::Report& report);
/// The same without the text: it was told already.
int conclude_silently(const Context& context, const reports::Report& report);

}  // namespace drydock::cli
