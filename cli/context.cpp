#include "context.hpp"

#include "edge/environment.hpp"
#include "edge/files.hpp"

#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <fmt/format.h>

#include <unistd.h>

namespace drydock::cli {
namespace {

template <class Kinds>
std::vector<std::string_view> names_in(const Kinds& kinds) {
    std::vector<std::string_view> names;
    names.reserve(kinds.size());
    for (const auto& kind : kinds)
        names.push_back(kind.name);
    return names;
}

bool is_stdout_taken(const CommonOptions& options) {
    return options.stdout_is_taken || options.json == "-";
}

}  // namespace

void fail_unknown(std::string_view what, std::string_view name,
                  std::span<const std::string_view> known) {
    throw faults::InputError(
        "", fmt::format("unknown {} {}{} (known: {})", what, faults::in_quotes(name),
                        faults::did_you_mean(name, known), fmt::join(known, ", ")));
}

int exit_code(faults::Verdict verdict) {
    switch (verdict) {
        case faults::Verdict::pass: return ok;
        case faults::Verdict::violation:
        case faults::Verdict::expectation: return broken;
        case faults::Verdict::void_:
        case faults::Verdict::nondeterministic: return shows_nothing;
    }
    return broken;
}

std::vector<std::string> Context::backend_names() const {
    const auto names = names_in(backends.kinds());
    return {names.begin(), names.end()};
}

const sim::BackendKind& Context::backend(std::string_view name) const {
    const sim::BackendKind* kind = backends.find(name);
    if (kind == nullptr) fail_unknown("backend", name, names_in(backends.kinds()));
    return *kind;
}

const scenarios::ClientKind& Context::client(std::string_view name) const {
    const scenarios::ClientKind* kind = clients.find(name);
    if (kind == nullptr) fail_unknown("client", name, names_in(clients.kinds()));
    return *kind;
}

reports::ConsoleOptions Context::console() const {
    const int stream = is_stdout_taken(options) ? STDERR_FILENO : STDOUT_FILENO;
    const bool wants_color = !options.no_color && !environment("NO_COLOR");
    return {.has_color = wants_color && isatty(stream) == 1, .is_quiet = options.is_quiet};
}

void Context::say(std::string_view text) const {
    if (is_stdout_taken(options)) return print_error(text);
    output.print(text);
}

void Context::write_report(const std::string& path, std::string_view text) const {
    if (path != "-") return write_file(path, text);
    output.print(text);
}

int conclude(const Context& context, const reports::Report& report) {
    context.say(reports::told(report, context.console()));
    return conclude_silently(context, report);
}

int conclude_silently(const Context& context, const reports::Report& report) {
    const CommonOptions& options = context.options;
    if (!options.json.empty() || !options.out.empty()) {
        const std::string json = reports::outcome_json(report);
        if (!options.json.empty()) context.write_report(options.json, json);
        if (!options.out.empty()) write_file(options.out + "/outcome.json", json);
    }
    return exit_code(report.verdict);
}

}  // namespace drydock::cli
