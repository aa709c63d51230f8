#include <drydock/scenarios/random_scenario.hpp>
#include <drydock/scenarios/reader.hpp>
#include <drydock/scenarios/search.hpp>
#include <drydock/sim/backends.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace drydock::scenarios {
namespace {

std::uint64_t scaled(std::uint64_t count) {
    const char* work = std::getenv("DRYDOCK_WORK");
    const double factor = work == nullptr ? 1 : std::atof(work);
    return 1 + static_cast<std::uint64_t>(static_cast<double>(count) * factor);
}

std::ptrdiff_t of_leases(const std::vector<ActorStep>& steps) {
    return std::count_if(steps.begin(), steps.end(), [](const ActorStep& step) {
        return std::holds_alternative<AcquireStep>(step) ||
               std::holds_alternative<ReleaseStep>(step) ||
               std::holds_alternative<CleanupStep>(step) ||
               std::holds_alternative<AttachStep>(step);
    });
}

class Search : public testing::Test {
protected:
    Search() : clients_(builtin_clients()) { sim::register_builtin_backends(backends_); }

    SearchOptions options() const {
        SearchOptions options{.client = *clients_.find(library_client), .backends = {}};
        for (const sim::BackendKind& kind : backends_.kinds())
            options.backends.push_back(&kind);
        return options;
    }

    sim::BackendRegistry backends_;
    ClientRegistry clients_;
};

TEST_F(Search, RandomScenarioIsAFunctionOfItsSeed) {
    const std::string first = write_scenario(random_scenario(7, "docker"));
    EXPECT_EQ(first, write_scenario(random_scenario(7, "docker")));
    EXPECT_NE(first, write_scenario(random_scenario(8, "docker")));
}

TEST_F(Search, RandomScenarioIsAValidFile) {
    const std::vector<std::string> kinds{"docker"};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const std::string text = write_scenario(random_scenario(seed, "docker"));
        EXPECT_EQ(text, write_scenario(read_scenario(text, "random.json", kinds)));
    }
}

TEST_F(Search, RandomScenarioHasItsShape) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Scenario scenario = random_scenario(seed, "docker");
        ASSERT_EQ(scenario.processes.size(), 2U);
        EXPECT_EQ(scenario.processes[0].actors.size(), 2U);
        EXPECT_EQ(scenario.processes[1].actors.size(), 1U);
        for (const ProcessScript& process : scenario.processes) {
            for (const ActorScript& actor : process.actors) {
                const auto& steps = actor.steps;
                ASSERT_GE(steps.size(), 4U);
                EXPECT_LE(of_leases(steps), 8);
                EXPECT_EQ(std::get<CleanupStep>(steps[steps.size() - 2]).key, "k1");
                EXPECT_EQ(std::get<CleanupStep>(steps.back()).key, "k2");
            }
        }
    }
}

TEST_F(Search, HalfOfTheRandomScenariosRunJobsEachIdOnceUnlessTwoShareOne) {
    std::size_t with_jobs = 0;
    std::size_t shared = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        std::set<std::string> ids;
        std::size_t launches = 0;
        for (const ProcessScript& process : random_scenario(seed, "docker").processes) {
            for (const ActorScript& actor : process.actors) {
                for (const ActorStep& step : actor.steps) {
                    const auto* run = std::get_if<RunStep>(&step);
                    if (run == nullptr) continue;
                    ++launches;
                    const bool is_new = ids.insert(process.name + "/" + run->job).second;
                    if (is_new) continue;
                    EXPECT_EQ(run->job, "shared") << seed;
                    ++shared;
                    --launches;
                }
            }
        }
        EXPECT_EQ(ids.size(), launches) << seed;
        with_jobs += launches > 0 ? 1 : 0;
    }
    EXPECT_GT(with_jobs, 150U);
    EXPECT_LT(with_jobs, 250U);
    EXPECT_GT(shared, 30U);
    EXPECT_LT(shared, 130U);
}

TEST_F(Search, NothingIsHeldAtTheEndOfARandomScenario) {
    for (std::uint64_t seed = 0; seed < scaled(300); ++seed) {
        for (const sim::BackendKind& kind : backends_.kinds()) {
            const Scenario scenario = random_scenario(seed, kind.name);
            const RunReport report =
                run_plan({scenario, kind, *clients_.find(library_client)}, faults::Plan(), false);
            EXPECT_TRUE(report.held.empty()) << seed;
            EXPECT_EQ(report.sandboxes, report.removed) << seed;
            EXPECT_GT(report.sandboxes, 0U) << seed;
        }
    }
}

TEST_F(Search, IsAFunctionOfItsSeedAndTakesBackendsInTurns) {
    SearchOptions search = options();
    search.runs = scaled(100);
    search.stop_at_first = false;
    const SearchReport first = explore_random(search);
    EXPECT_EQ(first.campaign.digest, explore_random(search).campaign.digest);
    EXPECT_EQ(first.campaign.runs, search.runs);
    search.seed = 2;
    EXPECT_NE(first.campaign.digest, explore_random(search).campaign.digest);
}

TEST_F(Search, RecordedPlansMakeTheSameRuns) {
    SearchOptions search = options();
    search.runs = scaled(300);
    search.stop_at_first = false;
    search.recheck_every = 1;
    const SearchReport report = explore_random(search);
    EXPECT_EQ(report.rechecked, search.runs);
    for (const SearchFind& find : report.finds) {
        EXPECT_NE(find.run.report.outcome.verdict, faults::Verdict::nondeterministic)
            << find.run.notes.front();
    }
}

TEST_F(Search, EndsWhenProgressSaysSo) {
    SearchOptions search = options();
    search.stop_at_first = false;
    const SearchReport report =
        explore_random(search, [](std::uint64_t runs, std::uint64_t) { return runs < 5; });
    EXPECT_EQ(report.campaign.runs, 5U);
}

TEST_F(Search, CapsuleOfAFindIsAFileThatRunsTheSame) {
    SearchOptions search = options();
    const Scenario scenario = random_scenario(3, "docker");
    TestedRun run{scenario.name, "docker", "library", {}, {}};
    run.report.outcome.violations = {{"no_leak", "sandbox 1", "story"}};
    run.report.outcome.digest = 0x12;
    const Scenario capsule = capsule_of(scenario, run);
    EXPECT_EQ(capsule.found, (Found{"library", "no_leak", "sandbox 1", "0000000000000012"}));
    const std::vector<std::string> kinds{"docker"};
    const std::string text = write_scenario(capsule);
    EXPECT_EQ(text, write_scenario(read_scenario(text, "capsule.json", kinds)));
}

TEST_F(Search, DigestsAreRepeatable) {
    const SearchOptions search = options();
    for (std::uint64_t i = 0; i < 10; ++i) {
        const DigestRow row = digest_of_plan(i, search);
        EXPECT_TRUE(row.is_repeatable);
        EXPECT_EQ(row.digest, digest_of_plan(i, search).digest);
    }
}

}  // namespace
}  // namespace drydock::scenarios
