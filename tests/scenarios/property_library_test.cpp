// Drawn scenarios under drawn faults: the library breaks nothing. What breaks is shrunk by
// RapidCheck (the scenario) and written down as a capsule (scenario and plan) next to the test
// executable.
#include "support/scenario_kit.hpp"

#include <drydock/faults/random_chooser.hpp>
#include <drydock/scenarios/search.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace drydock::test {
namespace {

using namespace scenarios;
using namespace std::chrono_literals;

rc::Gen<std::string> any_key() { return rc::gen::element<std::string>("k1", "k2", "odd/key"); }

rc::Gen<ActorStep> any_acquire(const std::string& key) {
    return rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [key](std::uint32_t bits) {
        AcquireStep step{.key = key};
        if ((bits & 3) == 1) step.bootstrap = 200ms;
        if ((bits & 12) == 4) step.staging = StagingTimes{100ms, 1s};
        if ((bits & 48) == 16) step.undo = {"first", "second"};
        if ((bits & 192) == 64) step.deadline = 3min;
        step.tries = 1 + (bits >> 8) % 3;
        return ActorStep(step);
    });
}

/// One use of a key: it is acquired, perhaps held, and given back one way or another.
rc::Gen<std::vector<ActorStep>> any_use() {
    return rc::gen::exec([] {
        const std::string key = *any_key();
        std::vector<ActorStep> steps{*any_acquire(key)};
        const Duration time = *rc::gen::element<Duration>(0s, 1ms, 1s, 7s, 40s);
        if (time > Duration::zero()) steps.emplace_back(HoldStep{time});
        if (*rc::gen::inRange(0, 6) == 0) {
            steps.emplace_back(AttachStep{key});
            steps.emplace_back(ReleaseStep{key});
        }
        if (*rc::gen::inRange(0, 4) > 0) steps.emplace_back(ReleaseStep{key});
        if (*rc::gen::inRange(0, 5) == 0) steps.emplace_back(CleanupStep{*any_key()});
        return steps;
    });
}

rc::Gen<ActorScript> any_actor(std::string name) {
    const auto uses =
        rc::gen::resize(4, rc::gen::container<std::vector<std::vector<ActorStep>>>(any_use()));
    return rc::gen::map(uses, [name](const std::vector<std::vector<ActorStep>>& drawn) {
        ActorScript actor{.name = name, .steps = {}};
        for (const auto& use : drawn) {
            actor.steps.insert(actor.steps.end(), use.begin(), use.end());
        }
        for (const char* key : {"k1", "k2", "odd/key"}) {
            actor.steps.emplace_back(CleanupStep{key});
        }
        return actor;
    });
}

Scenario any_scenario() {
    Scenario scenario;
    scenario.name = "drawn";
    scenario.about = "drawn by a property test";
    scenario.backend.kinds = backend_names;
    scenario.client.attempts = *rc::gen::inRange(1U, 4U);
    if (*rc::gen::inRange(0, 4) == 0) scenario.client.deadline = 4min;
    const int processes = *rc::gen::inRange(1, 3);
    for (int i = 0; i < processes; ++i) {
        ProcessScript process{.name = i == 0 ? "runner" : "other", .actors = {}};
        const int count = *rc::gen::inRange(1, 4);
        for (int k = 0; k < count; ++k) {
            process.actors.push_back(*any_actor(std::string(1, static_cast<char>('a' + k))));
        }
        scenario.processes.push_back(std::move(process));
    }
    return scenario;
}

/// Runs the scenario under the seed's faults. Empty if all went well, else what did not.
std::string what_broke(const Scenario& scenario, const sim::BackendKind& kind, std::uint64_t seed,
                       sim::Pool& pool) {
    const RunRequest request{scenario, kind, client(library_client), &pool};
    faults::Names names = names_of(scenario);
    faults::RandomChooser chooser(seed);
    const RunReport report = run(request, chooser, names);
    if (report.outcome.violations.empty() && report.defects.empty()) return {};
    const TestedRun tested{scenario.name, kind.name, std::string(library_client), report, {}};
    const std::string path = write_capsule(capsule_of(scenario, tested), "property-capsule");
    return "drydock replay " + path + "\n" + told(report);
}

// A hundred scenarios (scaled), twenty plans each.
RC_GTEST_PROP(PropertyLibrary, BreaksNothingUnderAnyFaults, ()) {
    const Scenario scenario = any_scenario();
    const sim::BackendKind& kind = backend(*rc::gen::elementOf(backend_names));
    const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
    sim::Pool pool;
    for (std::uint64_t i = 0; i < 20; ++i) {
        const std::string broke = what_broke(scenario, kind, faults::seed_of(seed, i), pool);
        if (!broke.empty()) RC_FAIL(broke);
    }
}

/// The same of a client that is known to be wrong: proof that the property can fail, and that what
/// it writes replays.
TEST(PropertyLibrary, AWrongClientIsFoundAndItsCapsuleReplays) {
    const Scenario scenario =
        actors({{AcquireStep{.key = "k1"}, HoldStep{1s}, ReleaseStep{"k1"}, CleanupStep{"k1"}}});
    const ClientKind& wrong = client("strix-768");
    const RunRequest request{scenario, backend("docker"), wrong};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        faults::Names names = names_of(scenario);
        faults::RandomChooser chooser(seed);
        const RunReport report = run(request, chooser, names);
        if (report.outcome.violations.empty()) continue;
        const TestedRun tested{scenario.name, "docker", wrong.name, report, {}};
        const Scenario capsule = capsule_of(scenario, tested);
        const RunReport again = run_plan(request, capsule.plan, false);
        EXPECT_EQ(again.outcome.digest, report.outcome.digest);
        EXPECT_EQ(broken(again), broken(report));
        return;
    }
    FAIL() << "200 random plans found nothing wrong with strix-768";
}

}  // namespace
}  // namespace drydock::test
