// Faults of guards' steps, as a plan of the simulation chooses them.
#include "engine/execs.hpp"
#include "engine/files.hpp"
#include "engine/guard.hpp"

#include <drydock/faults/plan_chooser.hpp>
#include <drydock/faults/random_chooser.hpp>
#include <drydock/sim/backends.hpp>
#include <drydock/sim/docker_face.hpp>
#include <drydock/sim/simulation.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const BackendKind& docker() {
    static const BackendRegistry registry = [] {
        BackendRegistry made;
        register_builtin_backends(made);
        return made;
    }();
    return *registry.find("docker");
}

/// A sandbox of runner's lease scan-1 with the guard in it, in a simulation under a chooser.
class Bed {
public:
    Bed(faults::Chooser& chooser, faults::Names& names, std::string owner = "runner")
        : simulation(chooser, names, docker(), {}) {
        simulation.add_program("runner");
        SandboxConfig config;
        config.image = "bb";
        config.command = {"sleep", "1000000"};
        config.labels = {{"drydock.lease", "scan-1"}, {"drydock.owner", std::move(owner)}};
        engine().create("c1", std::move(config), [](const Outcome&) {});
        engine().start("c1");
        engine().files("c1")->make_folder("/.drydock", {});
        engine().files("c1")->append(guard_path, "the script", {});
    }

    SandboxEngine& engine() { return dynamic_cast<DockerModel&>(simulation.backend()).engine(); }
    void launch(std::string job) {
        ExecConfig config;
        config.argv = {"sh", std::string(guard_path), "launch",   std::move(job), "null", "-",
                       "--", "drydock-job",           "takes=10s"};
        Execs& execs = engine().execs();
        execs.start(execs.find(execs.create(*engine().resolve("c1"), std::move(config)).id), {});
    }
    void pass(Duration time) { simulation.world().run_until(simulation.world().now() + time); }
    std::string exit_of(const std::string& job) {
        const FoundFile found =
            engine().files("c1")->look_up("/.drydock/" + job + "/exit", LastLink::kept);
        return found.inode == nullptr ? "-" : found.inode->content;
    }
    bool has_run(std::string_view job) {
        const auto all = engine().processes();
        return std::any_of(all.begin(), all.end(),
                           [&](const ProcessTruth& truth) { return truth.job == job; });
    }
    std::size_t traced() {
        const auto& events = simulation.world().trace().events();
        return static_cast<std::size_t>(
            std::count_if(events.begin(), events.end(), [](const Event& event) {
                return event.operation == static_cast<std::uint8_t>(Operation::guard_step);
            }));
    }
    /// The sites of choices that showed no effect.
    std::vector<std::string> inert(const faults::Plan& plan) {
        const auto facts = simulation.choices().facts();
        return inert_entries(plan, simulation.choices().chooser().taken(), facts);
    }

    Simulation simulation;
};

faults::Plan plan_of(std::string_view site, std::string_view choice) {
    return faults::Plan::from_json({{{"at", site}, {"choose", choice}}});
}

class GuardStep : public testing::Test {
protected:
    void choose(std::string_view site, std::string_view choice) {
        plan = plan_of(site, choice);
        chooser.emplace(plan, names);
    }

    faults::Names names;
    faults::Plan plan;
    std::optional<faults::PlanChooser> chooser;
};

TEST_F(GuardStep, IsOfTheSandboxesProcessAndLease) {
    choose("runner[scan-1]/guard_step#5/step", "kill_guard");
    Bed bed(*chooser, names);
    bed.launch("a");
    bed.pass(1s);
    bed.launch("b");
    bed.pass(1s);
    EXPECT_FALSE(bed.has_run("a"));
    EXPECT_TRUE(bed.has_run("b"));
    EXPECT_THAT(bed.inert(plan), IsEmpty());
    EXPECT_EQ(bed.traced(), 1U);
}

TEST_F(GuardStep, CountsOverAllGuardsOfTheLease) {
    choose("runner[scan-1]/guard_step#13/step", "kill_guard");  // 7 of a, whose job runs
    Bed bed(*chooser, names);
    bed.launch("a");
    bed.pass(1s);
    bed.launch("b");
    bed.pass(20s);
    EXPECT_EQ(bed.exit_of("a"), "0");
    EXPECT_FALSE(bed.has_run("b"));
}

TEST_F(GuardStep, IsNobodysInASandboxOfNone) {
    choose("runner[scan-1]/guard_step#3/step", "kill_guard");
    Bed bed(*chooser, names, "somebody");
    bed.launch("a");
    bed.pass(1s);
    EXPECT_TRUE(bed.has_run("a"));
    EXPECT_THAT(chooser->unknown_sites(), ElementsAre("runner[scan-1]/guard_step#3/step"));
}

TEST_F(GuardStep, AKillOfAJobThatIsNotThereIsInert) {
    choose("runner[scan-1]/guard_step#3/step", "kill_child");
    Bed bed(*chooser, names);
    bed.launch("a");
    bed.pass(1s);
    EXPECT_TRUE(bed.has_run("a"));
    EXPECT_THAT(bed.inert(plan), ElementsAre("runner[scan-1]/guard_step#3/step"));
}

TEST_F(GuardStep, AJobIsKilledInTheMiddle) {
    choose("runner[scan-1]/guard_step#7/step", "kill_child(3s)");
    Bed bed(*chooser, names);
    bed.launch("a");
    bed.pass(2s);
    EXPECT_EQ(bed.exit_of("a"), "-");
    bed.pass(2s);
    EXPECT_EQ(bed.exit_of("a"), "137");
    EXPECT_THAT(bed.inert(plan), IsEmpty());
}

TEST_F(GuardStep, NoKillComesAfterTheFaultsStopped) {
    choose("runner[scan-1]/guard_step#7/step", "kill_all(3s)");
    Bed bed(*chooser, names);
    bed.launch("a");
    bed.pass(2s);
    bed.simulation.stop_faults();
    bed.launch("b");
    bed.pass(20s);
    EXPECT_EQ(bed.exit_of("a"), "0");
    EXPECT_EQ(bed.exit_of("b"), "0");
    EXPECT_THAT(bed.inert(plan), ElementsAre("runner[scan-1]/guard_step#7/step"));
}

std::uint64_t digest_under(faults::Chooser& chooser, faults::Names& names) {
    Bed bed(chooser, names);
    for (const char* job : {"a", "b", "a", "c", "b"}) {
        bed.launch(job);
        bed.pass(3ms);
    }
    bed.pass(1min);
    return bed.simulation.world().trace().digest();
}

TEST(GuardSteps, ARandomPlanReplays) {
    std::size_t chosen = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        faults::Names names;
        faults::RandomChooser random(seed);
        const std::uint64_t digest = digest_under(random, names);
        const faults::Plan plan = random.plan(names);
        faults::Names others;
        faults::PlanChooser replay(plan, others);
        EXPECT_EQ(digest_under(replay, others), digest) << seed;
        EXPECT_THAT(replay.unknown_sites(), IsEmpty());
        chosen += plan.size();
    }
    EXPECT_GT(chosen, 50U);
}

}  // namespace
}  // namespace drydock::sim::test
