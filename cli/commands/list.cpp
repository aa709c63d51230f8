#include "commands/commands.hpp"

#include <drydock/reports/listing.hpp>

#include "edge/files.hpp"
#include "edge/source_dir.hpp"

#include <filesystem>
#include <memory>

namespace drydock::cli {
namespace {

// An installed program has no source tree: then there is all else to list.
std::string own_corpus() {
    std::string folder = source_dir() + "/scenarios/incidents";
    std::error_code error;
    return std::filesystem::is_directory(folder, error) ? folder : std::string();
}

int list(const Context& context, const std::string& corpus) {
    reports::Catalogue catalogue{.backends = &context.backends, .clients = &context.clients};
    if (!corpus.empty()) catalogue.corpus = read_scenario_files(context, {corpus});
    context.say(reports::listing(catalogue));
    const std::string& json = context.options.json;
    if (!json.empty()) context.write_report(json, reports::listing_json(catalogue));
    return ok;
}

}  // namespace

void add_list(CLI::App& app, Context& context, Action& action) {
    const auto corpus = std::make_shared<std::string>(own_corpus());
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
