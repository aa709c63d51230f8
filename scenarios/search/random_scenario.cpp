#include <drydock/scenarios/random_scenario.hpp>

#include "search/random_jobs.hpp"

#include <drydock/faults/random.hpp>

#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

namespace drydock::scenarios {
namespace {

using faults::SplitMix64;

constexpr std::array<const char*, 2> keys{"k1", "k2"};

/// Holds long enough to overlap with others, to outlast a timeout, or neither.
constexpr std::array<Duration, 5> holds{std::chrono::milliseconds(1), std::chrono::milliseconds(50),
                                        std::chrono::seconds(1), std::chrono::seconds(7),
                                        std::chrono::seconds(40)};

// One draw per statement everywhere: the order of evaluation in an expression differs between
// compilers.
class ActorWriter {
public:
    explicit ActorWriter(SplitMix64& random) : random_(random) {}

    std::vector<ActorStep> write() {
        const std::uint32_t count = 2 + random_.below(5);
        steps_.emplace_back(acquire(draw_key()));
        while (steps_.size() < count)
            add_step();
        for (const char* key : keys)
            steps_.emplace_back(CleanupStep{key});
        return std::move(steps_);
    }

private:
    std::string draw_key() { return keys.at(random_.below(keys.size())); }

    void add_step() {
        const std::uint32_t dice = random_.below(100);
        const std::string key = draw_key();
        const bool is_held = held_.count(key) > 0;
        if (dice < 30) {
            add_hold();
        } else if (dice < 80) {
            is_held ? release(key) : add_acquire(key);
        } else if (dice < 92) {
            is_held ? release(key) : attach(key);
        } else {
            held_.erase(key);
            steps_.emplace_back(CleanupStep{key});
        }
    }

    void add_hold() { steps_.emplace_back(HoldStep{holds.at(random_.below(holds.size()))}); }

    void add_acquire(const std::string& key) { steps_.emplace_back(acquire(key)); }

    void release(const std::string& key) {
        held_.erase(key);
        steps_.emplace_back(ReleaseStep{key});
    }

    void attach(const std::string& key) {
        held_.insert(key);
        steps_.emplace_back(AttachStep{key});
    }

    AcquireStep acquire(const std::string& key) {
        held_.insert(key);
        AcquireStep step{.key = key};
        if (random_.chance(25)) {
            step.bootstrap = std::chrono::milliseconds(200);
            step.tries = 1 + random_.below(3);
        }
        if (random_.chance(15)) {
            step.staging = StagingTimes{std::chrono::milliseconds(100), std::chrono::seconds(1)};
        }
        if (random_.chance(15)) step.undo = {"first", "second"};
        if (random_.chance(10)) step.deadline = std::chrono::minutes(3);
        return step;
    }

    SplitMix64& random_;
    std::vector<ActorStep> steps_;
    std::set<std::string> held_;  // as far as the script knows: a step may fail
};

// In every other scenario, from a stream of their own, so that the leases are drawn as without.
void add_jobs(Scenario& scenario, std::uint64_t seed) {
    SplitMix64 random(faults::seed_of(seed, 2));
    if (random.chance(50)) return;
    for (ProcessScript& process : scenario.processes) {
        for (ActorScript& actor : process.actors)
            add_jobs(actor, actor.name, random);
        share_job(process, random);
    }
}

}  // namespace

Scenario random_scenario(std::uint64_t seed, const std::string& backend_kind) {
    // Its own stream: the same seed also draws the plan.
    SplitMix64 random(faults::seed_of(seed, 1));
    Scenario scenario;
    scenario.name = fmt::format("random-{:016x}", seed);
    scenario.about = "drawn from its seed";
    scenario.backend.kinds = {backend_kind};
    scenario.client.attempts = 1 + random.below(3);
    scenario.processes = {{.name = "runner", .actors = {{"a", {}}, {"b", {}}}},
                          {.name = "other", .actors = {{"a", {}}}}};
    for (ProcessScript& process : scenario.processes) {
        for (ActorScript& actor : process.actors)
            actor.steps = ActorWriter(random).write();
    }
    add_jobs(scenario, seed);
    return scenario;
}

}  // namespace drydock::scenarios
