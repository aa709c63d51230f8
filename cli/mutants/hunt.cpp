#include "mutants/hunt.hpp"

#include "edge/files.hpp"
#include "edge/stopwatch.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace drydock::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The mutated program wrote it, so nothing about it is certain.
json outcome_in(const fs::path& file) {
    const json outcome = json::parse(read_file(file.string()), nullptr, false);
    return outcome.is_object() ? outcome : json::object();
}

std::string first_invariant(const json& outcome) {
    for (const json& result : outcome.value("results", json::array())) {
        for (const json& violation : result.value("violations", json::array())) {
            return violation.value("invariant", "");
        }
    }
    return outcome.value("verdict", "no report");
}

bool is_finding(int code) {
    // A crash of the mutant (128 + signal) is one too: assertions are part of the library.
    return code == broken || code >= 128;
}

}  // namespace

Caught hunt(Workshop& workshop, const HuntOptions& options) {
    const Stopwatch stopwatch;
    const fs::path report = workshop.file("outcome.json");
    const fs::path printed = workshop.file("printed");
    Caught caught;
    const auto conclude = [&](const char* by) {
        caught.is_found = true;
        caught.by = by;
        const json outcome = outcome_in(report);
        caught.invariant = first_invariant(outcome);
        caught.runs = outcome.value("runs", std::uint64_t{0});
    };
    write_file(report.string(), "");
    const int random = workshop.run(
        {"explore", "--strategy", "random", "--client", "library", "--runs",
         std::to_string(options.runs), "--seed", std::to_string(options.seed), "--quiet", "--out",
         workshop.file("finds").string(), "--json", report.string()},
        printed);
    if (is_finding(random)) {
        conclude("random");
    } else {
        write_file(report.string(), "");
        const int corpus =
            workshop.run({"run", options.corpus, "--quiet", "--json", report.string()}, printed);
        if (is_finding(corpus)) conclude("corpus");
    }
    caught.seconds = stopwatch.seconds();
    return caught;
}

Caught hunt_mutant(Workshop& workshop, const fs::path& patch, const HuntOptions& options) {
    Caught caught;
    if (!workshop.apply(patch)) {
        caught.by = "the patch does not apply";
    } else if (!workshop.build()) {
        caught.by = "does not compile";
        std::error_code ignored;  // only a help
        fs::copy_file(workshop.log(), workshop.file(patch.stem().string() + ".log"),
                      fs::copy_options::overwrite_existing, ignored);
    } else {
        caught = hunt(workshop, options);
    }
    caught.breakage = patch.stem().string();
    const bool was_applied = caught.by != "the patch does not apply";
    if (was_applied && !workshop.take_back(patch)) {
        throw NotThere("patch could not take back " + patch.string() + "; see " + workshop.log());
    }
    return caught;
}

std::string table_of(const std::vector<Caught>& all) {
    std::size_t width = std::string("breakage").size();
    for (const Caught& caught : all)
        width = std::max(width, caught.breakage.size());
    std::string table = fmt::format("{:<{}}  {:<9}  {:>8}  {:>8}  {}\n", "breakage", width,
                                    "found by", "runs", "seconds", "broken invariant");
    for (const Caught& caught : all) {
        if (!caught.is_found) {
            fmt::format_to(std::back_inserter(table), "{:<{}}  NOT FOUND{}{}\n", caught.breakage,
                           width, caught.by.empty() ? "" : ": ", caught.by);
            continue;
        }
        fmt::format_to(std::back_inserter(table), "{:<{}}  {:<9}  {:>8}  {:>8.2f}  {}\n",
                       caught.breakage, width, caught.by, caught.runs, caught.seconds,
                       caught.invariant);
    }
    return table;
}

}  // namespace drydock::cli
