// Every state that kills can leave, held against those that tests/guard reaches with the script.
#include "sim/guard_support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using faults::StepFault;

constexpr std::array<StepFault::Kind, 3> kinds = {
    StepFault::Kind::kill_guard, StepFault::Kind::kill_child, StepFault::Kind::kill_all};

/// Claims as "alive", "dead" or "void"; begun; exit; whether processes of the job live.
using GuardState = std::tuple<std::vector<std::string>, bool, bool, bool>;
using GuardStates = std::set<GuardState>;

GuardState state_of(GuardHarness& h) {
    std::vector<std::string> owners;
    for (const std::string& claim : h.claims()) {
        const auto& tasks = h.engine.tasks(1).all();
        const bool lives = std::any_of(tasks.begin(), tasks.end(), [&](const auto& task) {
            return task->is_alive() && claim_of(*task) == claim;
        });
        owners.push_back(claim == "void" ? "void" : lives ? "alive" : "dead");
    }
    return {owners, h.entry("begun") != "-", h.entry("exit") != "-", h.living() > 0};
}

/// So long that it has not ended when the next launcher has.
constexpr const char* long_job = "takes=10s";
constexpr const char* short_job = "takes=10ms";

using Plan = std::map<std::uint32_t, StepFault>;

/// Three launchers, one after the other, under one plan.
void add_launches(GuardStates& states, const Plan& plan, const char* job) {
    GuardHarness h;
    h.plan = plan;
    for (int i = 0; i < 3; ++i) {
        h.launch({job});
        h.pass(1s);
        states.insert(state_of(h));
    }
    h.pass(10s);
    states.insert(state_of(h));
    EXPECT_LE(h.begun(), 1U);
    const auto end = h.follow();
    const std::string answer = h.end_of(end);
    EXPECT_EQ(answer.starts_with("end code"), std::get<2>(state_of(h))) << answer;
    EXPECT_EQ(answer == "end absent", !std::get<1>(state_of(h))) << answer;
}

enum class Before : std::uint8_t { absent, dead_claim, running, ended };

/// A kill that is killed, another one, and a launch that comes too late.
void add_kills(GuardStates& states, Before before, std::uint32_t n) {
    GuardHarness h;
    if (before == Before::dead_claim) {
        h.plan[4] = faults::steps::kill_guard();
    }
    if (before != Before::absent) {
        h.launch({before == Before::running ? long_job : short_job});
        h.pass(1s);
    }
    h.plan[h.steps + n] = faults::steps::kill_guard();
    h.kill();
    h.pass(1s);
    const auto again = h.kill();
    h.end_of(again);
    const std::size_t begun = h.begun();
    h.launch({short_job});
    h.pass(10s);
    EXPECT_EQ(h.begun(), begun);
    states.insert(state_of(h));
}

constexpr std::uint32_t steps_of_a_launch = 8;
constexpr std::uint32_t while_it_runs = 7;
constexpr std::uint32_t steps_of_a_kill = 18;

/// What tests/guard does with the script: one launcher or one killer is killed, and others come.
GuardStates states_of_one_kill() {
    GuardStates states;
    for (std::uint32_t n = 1; n <= steps_of_a_launch; ++n) {
        for (const StepFault::Kind kind : kinds) {
            const bool goes_on = n == while_it_runs && kind == StepFault::Kind::kill_guard;
            add_launches(states, {{n, {kind, {}}}}, goes_on ? long_job : short_job);
        }
    }
    for (const Before before :
         {Before::absent, Before::dead_claim, Before::running, Before::ended}) {
        for (std::uint32_t n = 1; n <= steps_of_a_kill; ++n) {
            add_kills(states, before, n);
        }
    }
    return states;
}

/// Every one and every two kills over the steps of a launch, and of a second one that finds its
/// dead claim; and then a third.
GuardStates states_of_two_kills() {
    constexpr std::uint32_t most_steps = steps_of_a_launch + 12;
    GuardStates states;
    std::size_t runs = 0;
    const auto add = [&](const Plan& plan) {
        add_launches(states, plan, short_job);
        add_launches(states, plan, long_job);
        runs += 2;
    };
    for (std::uint32_t first = 1; first <= most_steps; ++first) {
        for (const StepFault::Kind kind : kinds) {
            add({{first, {kind, {}}}});
            for (std::uint32_t second = first + 1; second <= most_steps; ++second) {
                for (const StepFault::Kind other : kinds) {
                    add({{first, {kind, {}}}, {second, {other, {}}}});
                }
            }
        }
    }
    EXPECT_EQ(runs, 2U * (3 * 20 + 9 * 190));
    return states;
}

/// In the form of `tests/guard/run.py --states`.
nlohmann::json to_json(const GuardStates& states) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [claims, begun, exit, processes] : states) {
        list.push_back(
            {{"claims", claims}, {"begun", begun}, {"exit", exit}, {"processes", processes}});
    }
    return list;
}

TEST(GuardStates, AreTheKnownOnes) {
    const nlohmann::json one = to_json(states_of_one_kill());
    const nlohmann::json two = to_json(states_of_two_kills());
    const nlohmann::json reached = {{"schema", "drydock.guard_states/1"},
                                    {"shells", {{"model", one}, {"model, two kills", two}}}};
    std::ifstream file("tests/data/guard_states.json");
    ASSERT_TRUE(file) << reached.dump(1);
    EXPECT_EQ(nlohmann::json::parse(file), reached) << reached.dump(1);
}

}  // namespace
}  // namespace drydock::sim::test
