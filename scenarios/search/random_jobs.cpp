#include "search/random_jobs.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>
#include <vector>

namespace drydock::scenarios {
namespace {

constexpr std::array<Duration, 4> times{Duration{}, std::chrono::milliseconds(30),
                                        std::chrono::seconds(2), std::chrono::seconds(45)};
constexpr std::array<Duration, 2> holds{std::chrono::seconds(1), std::chrono::seconds(3)};
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

/// One job: until it runs, and from then to what is known of its end.
struct JobSteps {
    std::vector<ActorStep> begin;
    std::vector<ActorStep> end;
};

JobSteps draw_job(const std::string& key, const std::string& job, faults::SplitMix64& random) {
    RunStep run{.key = key, .job = job, .program = draw_program(random)};
    const std::uint32_t dice = random.below(100);
    // One that nothing may end is never waited for without a limit.
    const bool may_last = run.program.is_launcher || dice >= 85;
    if (may_last || random.chance(25)) run.timeout = std::chrono::seconds(20);
    JobSteps steps;
    if (dice < 45) {
        steps.begin.emplace_back(run);
        if (random.chance(15)) steps.end.emplace_back(WaitStep{key, job});
        return steps;
    }
    run.waits = false;
    if (dice >= 85) run.program.reads = 5;
    steps.begin.emplace_back(run);
    if (dice < 80 && random.chance(50)) {
        steps.begin.emplace_back(HoldStep{holds.at(random.below(holds.size()))});
    }
    if (dice >= 85) steps.end.emplace_back(StdinStep{key, job, "12345"});
    if (dice >= 65 && dice < 85) {
        steps.end.emplace_back(KillStep{key, job});
    } else {
        steps.end.emplace_back(WaitStep{key, job});
    }
    return steps;
}

void append(std::vector<ActorStep>& steps, std::vector<ActorStep> more) {
    steps.insert(steps.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

/// Up to two jobs in the sandbox of the key, one after the other or at once.
void add_jobs(std::vector<ActorStep>& steps, const std::string& key, const std::string& prefix,
              std::uint32_t& jobs, faults::SplitMix64& random) {
    const std::uint32_t count = random.below(3);
    if (count == 0) return;
    JobSteps first = draw_job(key, fmt::format("{}{}", prefix, ++jobs), random);
    JobSteps second;
    if (count == 2) second = draw_job(key, fmt::format("{}{}", prefix, ++jobs), random);
    const bool are_at_once = random.chance(60);
    append(steps, std::move(first.begin));
    if (are_at_once) append(steps, std::move(second.begin));
    append(steps, std::move(first.end));
    if (!are_at_once) append(steps, std::move(second.begin));
    append(steps, std::move(second.end));
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
        add_jobs(steps, key, prefix, jobs, random);
    }
    actor.steps = std::move(steps);
}

void share_job(ProcessScript& process, faults::SplitMix64& random) {
    std::vector<ActorScript>& actors = process.actors;
    if (actors.size() < 2 || !random.chance(60)) return;
    const std::string key = std::get<AcquireStep>(actors[0].steps.front()).key;
    if (std::get<AcquireStep>(actors[1].steps.front()).key != key) return;
    RunStep run{.key = key, .job = "shared", .program = draw_program(random)};
    if (run.program.is_launcher) run.timeout = std::chrono::seconds(20);
    for (ActorScript* const actor : {&actors[0], &actors[1]})
        actor->steps.insert(actor->steps.begin() + 1, run);
}

}  // namespace drydock::scenarios
