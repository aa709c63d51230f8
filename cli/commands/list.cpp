#include "commands/commands.hpp"

#include <drydock/reports/listing.hpp>

#include "edge/files.hpp"
#include "edge/source_dir.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace drydock::cli {
namespace {

int list(const Context& context, const std::string& corpus) {
    reports::Catalogue catalogue{.backends = &context.backends, .clients = &context.clients};
    if (std::filesystem::is_directory(corpus)) {
        catalogue.corpus = read_scenario_files(context, {corpus});
    }
    context.say(reports::listing(catalogue));
    if (context.options.json == "-") {
        fmt::print(stdout, "{}", reports::listing_json(catalogue));
    } else if (!context.options.json.empty()) {
        write_file(context.options.json, reports::listing_json(catalogue));
    }
    return ok;
}

}  // namespace

void add_list(CLI::App& app, Context& context, Action& action) {
    const auto corpus = std::make_shared<std::string>(source_dir() + "/scenarios/incidents");
    CLI::App& command =
        add_command(app, context, "list",
                    "Name the scenarios, clients, backends, invariants, fates and strategies",
                    "  drydock list");
    command.add_option("--corpus", *corpus, "the folder of scenarios");
    command.callback([&context, &action, corpus] {
        action = [&context, corpus] { return list(context, *corpus); };
    });
}

}  // namespace drydock::cli
