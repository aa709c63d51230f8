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
constexpr std::array<Duration, 2> holds{std::chrono::milliseconds(200), std::chrono::seconds(2)};
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

/// What is done with a job: it is run, or started and then waited for, killed, or given its input.
enum class Use : std::uint8_t { run, wait, kill, feed };

Use draw_use(faults::SplitMix64& random) {
    const std::uint32_t dice = random.below(100);
    if (dice < 45) return Use::run;
    if (dice < 65) return Use::wait;
    return dice < 85 ? Use::kill : Use::feed;
}

/// One job: until it runs, and from then to what is known of its end.
struct JobSteps {
    std::vector<ActorStep> begin;
    std::vector<ActorStep> end;
};

JobSteps draw_job(const std::string& key, const std::string& job, Use use,
                  faults::SplitMix64& random) {
    RunStep run{.key = key, .job = job, .program = draw_program(random)};
    // One that nothing may end is never waited for without a limit.
    const bool may_last = run.program.is_launcher || use == Use::feed;
    if (may_last || random.chance(25)) run.timeout = std::chrono::seconds(20);
    if (use == Use::feed) run.program.reads = 5;
    run.waits = use == Use::run;
    JobSteps steps;
    steps.begin.emplace_back(run);
    const bool is_held = use == Use::wait || use == Use::kill;
    if (is_held && random.chance(50)) {
        steps.begin.emplace_back(HoldStep{holds.at(random.below(holds.size()))});
    }
    if (use == Use::feed) steps.end.emplace_back(StdinStep{key, job, "12345"});
    if (use == Use::kill) {
        steps.end.emplace_back(KillStep{key, job});
    } else if (use != Use::run || random.chance(15)) {
        steps.end.emplace_back(WaitStep{key, job});
    }
    return steps;
}

void append(std::vector<ActorStep>& steps, std::vector<ActorStep> more) {
    steps.insert(steps.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

/// Two jobs in one sandbox, one after the other or at once. Often one is killed beside the other,
/// which begins so much later that the sandbox may have restarted.
void add_two_jobs(std::vector<ActorStep>& steps, const std::string& key,
                  const std::array<std::string, 2>& jobs, faults::SplitMix64& random) {
    const bool is_killed_beside = random.chance(30);
    const Use first_use = is_killed_beside ? Use::kill : draw_use(random);
    JobSteps first = draw_job(key, jobs[0], first_use, random);
    const Use second_use = is_killed_beside ? Use::wait : draw_use(random);
    JobSteps second = draw_job(key, jobs[1], second_use, random);
    const bool are_at_once = is_killed_beside || random.chance(60);
    append(steps, std::move(first.begin));
    if (is_killed_beside) steps.emplace_back(HoldStep{holds.back()});
    append(steps, std::move(are_at_once ? second.begin : first.end));
    append(steps, std::move(are_at_once ? first.end : second.begin));
    append(steps, std::move(second.end));
}

void add_jobs(std::vector<ActorStep>& steps, const std::string& key, const std::string& prefix,
              std::uint32_t& jobs, faults::SplitMix64& random) {
    const std::uint32_t count = random.below(3);
    const std::string first = fmt::format("{}{}", prefix, jobs + 1);
    const std::string second = fmt::format("{}/{}", prefix, jobs + 2);  // no folder's name
    jobs += count;
    if (count == 2) return add_two_jobs(steps, key, {first, second}, random);
    if (count == 0) return;
    const Use use = draw_use(random);
    JobSteps only = draw_job(key, first, use, random);
    append(steps, std::move(only.begin));
    append(steps, std::move(only.end));
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
    if (actors.size() < 2 || !random.chance(80)) return;
    const std::string key = std::get<AcquireStep>(actors[0].steps.front()).key;
    if (std::get<AcquireStep>(actors[1].steps.front()).key != key) return;
    RunStep run{.key = key, .job = "shared", .program = draw_program(random)};
    if (run.program.is_launcher) run.timeout = std::chrono::seconds(20);
    // Long enough for the slower launcher to find the job ended.
    const HoldStep hold{std::chrono::seconds(40)};
    for (ActorScript* const actor : {&actors[0], &actors[1]})
        actor->steps.insert(actor->steps.begin() + 1, {run, hold});
}

}  // namespace drydock::scenarios
