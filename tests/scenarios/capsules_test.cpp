// Every incident of the corpus: the library passes it, and each client that is kept for it breaks
// exactly what it is kept for.
#include "support/scenario_kit.hpp"

#include <drydock/scenarios/reader.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace drydock::test {
namespace {

using namespace scenarios;
using testing::IsEmpty;

// Tests run in the root of the source tree.
std::vector<std::filesystem::path> incident_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator("scenarios/incidents")) {
        if (file.path().extension() == ".json") files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Scenario read(const std::filesystem::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return read_scenario(text.str(), file.string(), backend_names);
}

TEST(Capsules, ThereAreSome) { EXPECT_GE(incident_files().size(), 70U); }

TEST(Capsules, AreNamedAsTheirFilesAndSayWhereTheyComeFrom) {
    for (const auto& file : incident_files()) {
        const Scenario scenario = read(file);
        EXPECT_EQ(scenario.name, file.stem().string());
        EXPECT_FALSE(scenario.about.empty()) << file;
        EXPECT_FALSE(scenario.source.empty()) << file;
    }
}

TEST(Capsules, SurviveWritingAndReading) {
    for (const auto& file : incident_files()) {
        const Scenario scenario = read(file);
        const Scenario again = read_scenario(write_scenario(scenario), "again", backend_names);
        EXPECT_EQ(again.plan, scenario.plan) << file;
        EXPECT_EQ(again.processes, scenario.processes) << file;
        EXPECT_EQ(again.expect, scenario.expect) << file;
    }
}

TEST(Capsules, TheLibraryPassesOnEachKind) {
    for (const auto& file : incident_files()) {
        const Scenario scenario = read(file);
        for (const std::string& kind : scenario.backend.kinds) {
            const RunRequest request{scenario, backend(kind), client(library_client)};
            const RunReport report = run_plan(request, scenario.plan, true);
            EXPECT_EQ(report.outcome.verdict, faults::Verdict::pass)
                << file << " on " << kind << "\n"
                << told(report);
            EXPECT_THAT(report.outcome.inert, IsEmpty()) << file << " on " << kind;
        }
    }
}

// Statuses and answers differ there, so steps may end otherwise; the promise is the same.
TEST(Capsules, TheLibraryBreaksNothingOnPresentDockerEither) {
    for (const auto& file : incident_files()) {
        const Scenario scenario = read(file);
        const auto& kinds = scenario.backend.kinds;
        if (std::find(kinds.begin(), kinds.end(), "docker") == kinds.end()) continue;
        const RunRequest request{scenario, backend("moby-current"), client(library_client)};
        EXPECT_THAT(broken(run_plan(request, scenario.plan, false)), IsEmpty()) << file;
    }
}

TEST(Capsules, EachLegacyClientBreaksExactlyWhatIsExpected) {
    std::size_t judged = 0;
    for (const auto& file : incident_files()) {
        const Scenario scenario = read(file);
        for (const std::string& kind : scenario.backend.kinds) {
            for (const auto& [name, invariants] : scenario.expectation_on(kind).legacy) {
                const RunRequest request{scenario, backend(kind), client(name)};
                const RunReport report = run_plan(request, scenario.plan, false);
                const NameSet expected(invariants.begin(), invariants.end());
                EXPECT_EQ(broken(report), expected)
                    << file << " on " << kind << ", " << name << "\n"
                    << told(report);
                ++judged;
            }
        }
    }
    EXPECT_GE(judged, 80U);
}

// A find counts only if the client passes the same scenario without its plan.
TEST(Capsules, WithoutItsPlanEachLegacyClientPasses) {
    for (const auto& file : incident_files()) {
        const Scenario scenario = read(file);
        for (const std::string& kind : scenario.backend.kinds) {
            for (const auto& [name, invariants] : scenario.expectation_on(kind).legacy) {
                const RunRequest request{scenario, backend(kind), client(name)};
                const RunReport report = run_plan(request, faults::Plan(), false);
                EXPECT_THAT(broken(report), IsEmpty()) << file << " on " << kind << ", " << name;
            }
        }
    }
}

TEST(Capsules, EveryLegacyClientIsKeptForSomething) {
    NameSet kept;
    for (const auto& file : incident_files()) {
        const Scenario scenario = read(file);
        for (const auto& [name, invariants] : scenario.expect.legacy)
            kept.insert(name);
        for (const auto& [kind, expect] : scenario.expect_by_kind) {
            for (const auto& [name, invariants] : expect.legacy)
                kept.insert(name);
        }
    }
    const ClientRegistry registry = builtin_clients();
    for (const ClientKind& each : registry.kinds()) {
        EXPECT_EQ(kept.count(each.name), each.name == library_client ? 0U : 1U) << each.name;
    }
}

}  // namespace
}  // namespace drydock::test
