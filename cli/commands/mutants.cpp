#include "commands/commands.hpp"
#include "commands/whole_number.hpp"
#include "edge/environment.hpp"
#include "edge/files.hpp"
#include "edge/source_dir.hpp"
#include "mutants/hunt.hpp"

#include <drydock/faults/input_error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

namespace drydock::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t default_runs = 10000;

struct MutantsOptions {
    std::string source = source_dir();
    std::string scratch;
    std::vector<std::string> only;
    std::optional<std::uint64_t> runs;
    std::uint64_t seed = 1;
};

/// Removed at the end if we made it.
class Scratch {
public:
    explicit Scratch(const std::string& given) : is_ours_(given.empty()), path_(given) {
        if (!is_ours_) {
            check_writable(given + "/log");
            return;
        }
        std::string pattern = (fs::temp_directory_path() / "drydock-mutants-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw NotThere("no scratch folder can be made");
        path_ = pattern;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        if (is_ours_) fs::remove_all(path_, ignored);
    }

    const fs::path& path() const { return path_; }

private:
    bool is_ours_;
    fs::path path_;
};

/// By their names, in order.
std::map<std::string, fs::path> breakages_in(const std::string& source) {
    const fs::path folder = fs::path(source) / "scenarios" / "breakages";
    std::map<std::string, fs::path> patches;
    for (const std::string& file : files_in(folder.string(), ".patch")) {
        patches.emplace(fs::path(file).stem().string(), file);
    }
    return patches;
}

std::vector<fs::path> patches_of(const MutantsOptions& options) {
    const std::map<std::string, fs::path> known = breakages_in(options.source);
    std::vector<std::string_view> names;
    std::vector<fs::path> patches;
    for (const auto& [name, patch] : known) {
        names.push_back(name);
        const bool is_wanted =
            options.only.empty() ||
            std::find(options.only.begin(), options.only.end(), name) != options.only.end();
        if (is_wanted) patches.push_back(patch);
    }
    for (const std::string& name : options.only) {
        if (!known.contains(name)) fail_unknown("breakage", name, names);
    }
    return patches;
}

std::string json_of(const std::vector<Caught>& all) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Caught& caught : all) {
        list.push_back({{"breakage", caught.breakage},
                        {"found", caught.is_found},
                        {"by", caught.by},
                        {"runs", caught.runs},
                        {"seconds", caught.seconds},
                        {"invariant", caught.invariant}});
    }
    const nlohmann::ordered_json json{{"schema", "drydock.mutants/1"}, {"results", list}};
    return json.dump(2) + "\n";
}

// A library that fails as it is would make every mutant look found.
bool is_sound_unchanged(const Context& context, Workshop& workshop, const HuntOptions& hunting) {
    if (!workshop.build()) {
        context.say("the unchanged sources do not compile; see " + workshop.log() + "\n");
        return false;
    }
    const Caught caught = hunt(workshop, hunting);
    if (!caught.is_found) return true;
    context.say(
        fmt::format("the unchanged library already fails ({}, {}, {} runs): nothing can be "
                    "said about mutants\n",
                    caught.by, caught.invariant, caught.runs));
    return false;
}

int run_mutants(const Context& context, const MutantsOptions& options) {
    const auto patches = patches_of(options);
    const StopGuard guard;
    const Scratch scratch(options.scratch);
    const HuntOptions hunting{.runs = options.runs ? *options.runs : scaled(default_runs),
                              .seed = options.seed};
    Workshop workshop(options.source, fs::absolute(scratch.path()), guard);
    if (!is_sound_unchanged(context, workshop, hunting)) return broken;
    std::vector<Caught> all;
    for (const fs::path& patch : patches) {
        all.push_back(hunt_mutant(workshop, patch, hunting));
        if (!context.options.is_quiet) {
            print_error(fmt::format("{}: {}\n", all.back().breakage,
                                    all.back().is_found ? "found" : "NOT FOUND"));
        }
    }
    context.say(table_of(all));
    if (!context.options.json.empty()) context.write_report(context.options.json, json_of(all));
    if (!context.options.out.empty()) {
        write_file(context.options.out + "/mutants.json", json_of(all));
    }
    const bool are_all_found =
        std::all_of(all.begin(), all.end(), [](const Caught& caught) { return caught.is_found; });
    return are_all_found ? ok : broken;
}

}  // namespace

void add_mutants(CLI::App& app, Context& context, Action& action) {
    const auto options = std::make_shared<MutantsOptions>();
    CLI::App& command =
        add_command(app, context, "mutants", "Is each known mistake in the library found?",
                    "  drydock mutants\n"
                    "  drydock mutants --only no-latch --scratch /tmp/mutants");
    command.add_option("--source", options->source, "the source tree")
        ->type_name("DIR")
        ->capture_default_str();
    command.add_option("--scratch", options->scratch, "where to copy and build; kept if given")
        ->type_name("DIR");
    command.add_option("--only", options->only, "names of breakages, without .patch");
    command.add_option("--runs", options->runs, "of random plans each [10000 x DRYDOCK_WORK]")
        ->check(positive_number());
    command.add_option("--seed", options->seed, "of the random plans")
        ->check(whole_number())
        ->capture_default_str();
    command.callback([&context, &action, options] {
        action = [&context, options] { return run_mutants(context, *options); };
    });
}

}  // namespace drydock::cli
