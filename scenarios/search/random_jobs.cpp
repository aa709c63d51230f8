#include "search/random_jobs.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

namespace drydock::scenarios {
namespace {

constexpr std::array<Duration, 4> times{Duration{}, std::chrono::milliseconds(30),
                                        std::chrono::seconds(2), std::chrono::seconds(45)};
constexpr std::array<std::uint32_t, 4> sizes{0, 7, 300, 5000};
constexpr std::array<int, 3> codes{0, 3, 137};

// One draw per statement everywhere: the order of evaluation in an expression differs between
// compilers.
JobProgram draw_program(faults::SplitMix64& random) {
    JobProgram program;
    program.takes = times.at(random.below(times.size()));
    program.out = sizes.at(random.below(sizes.size()));
    if (random.chance(30)) program.err = sizes.at(random.below(sizes.size()));
    program.exit_code = codes.at(random.below(codes.size()));
    if (random.chance(20)) program.children = 1 + random.below(2);
    program.ignores_term = random.chance(20);
    program.is_launcher = random.chance(10);
    return program;
}

/// One job in the sandbox of the key, from its beginning to what is known of its end.
void add_job(std::vector<ActorStep>& steps, const std::string& key, const std::string& job,
             faults::SplitMix64& random) {
    RunStep run{.key = key, .job = job, .program = draw_program(random)};
    const std::uint32_t dice = random.below(100);
    // One that nothing may end is never waited for without a limit.
    const bool may_last = run.program.is_launcher || dice >= 85;
    if (may_last || random.chance(25)) run.timeout = std::chrono::seconds(20);
    if (dice < 45) {
        steps.emplace_back(run);
        if (random.chance(15)) steps.emplace_back(WaitStep{key, job});
        return;
    }
    run.waits = false;
    if (dice >= 85) run.program.reads = 5;
    steps.emplace_back(run);
    if (dice < 60) steps.emplace_back(HoldStep{std::chrono::seconds(1)});
    if (dice >= 85) steps.emplace_back(StdinStep{key, job, "12345"});
    if (dice >= 70 && dice < 85) {
        steps.emplace_back(KillStep{key, job});
    } else {
        steps.emplace_back(WaitStep{key, job});
    }
}

}  // namespace

void add_jobs(ActorScript& actor, const std::string& prefix, faults::SplitMix64& random) {
    std::vector<ActorStep> steps;
    std::uint32_t jobs = 0;
    for (ActorStep& step : actor.steps) {
        const auto* acquire = std::get_if<AcquireStep>(&step);
        const std::string key = acquire ? acquire->key : std::string();
        steps.push_back(std::move(step));
        if (key.empty()) continue;
        const std::uint32_t count = random.below(3);
        for (std::uint32_t i = 0; i < count; ++i)
            add_job(steps, key, fmt::format("{}{}", prefix, ++jobs), random);
    }
    actor.steps = std::move(steps);
}

}  // namespace drydock::scenarios
