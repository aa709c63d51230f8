#include <drydock/reports/story.hpp>

#include "story/repeats.hpp"

#include <drydock/scenarios/reader.hpp>
#include <drydock/sim/backends.hpp>

#include <gmock/gmock.h>

namespace drydock::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The story of the library on a scenario of one actor, with this plan.
std::string story_of(const std::string& plan) {
    const std::vector<std::string> kinds{"docker"};
    const scenarios::Scenario scenario = scenarios::read_scenario(
        R"({"schema": "drydock.scenario/1", "name": "told", "backend": {"kind": "docker"},
            "processes": [{"name": "p", "actors": [{"name": "a", "steps": [
              {"acquire": "k"}, {"hold": "1s"}, {"release": "k"}]}]}], "plan": )" +
            plan + "}",
        "told.json", kinds);
    sim::BackendRegistry backends;
    sim::register_builtin_backends(backends);
    const scenarios::ClientRegistry clients = scenarios::builtin_clients();
    const scenarios::ClientKind& client = *clients.find("library");
    const sim::BackendKind& backend = *backends.find("docker");
    const scenarios::RunRequest request{
        .scenario = scenario, .backend = backend, .client = client, .keep_trace = true};
    return story(scenario, {scenario.name, backend.name, client.name,
                            run_plan(request, scenario.plan, false)});
}

TEST(Story, TellsCallsSandboxesAndTheEnd) {
    const std::string told = story_of("[]");
    EXPECT_THAT(told, testing::StartsWith("told on docker, client library\nThe plan is empty"));
    EXPECT_THAT(told, HasSubstr("   1.      0.000s  p/a calls acquire(k)\n"));
    EXPECT_THAT(told, HasSubstr("sandbox 1 (p[k], attempt 1) now exists\n"));
    EXPECT_THAT(told, HasSubstr("p/a: acquire(k) returns sandbox 1 (p[k], attempt 1)\n"));
    EXPECT_THAT(told, HasSubstr("p/a calls release(k)\n"));
    EXPECT_THAT(told, HasSubstr("sandbox 1 (p[k], attempt 1) is gone\n"));
    EXPECT_THAT(told, testing::EndsWith("No invariant is broken.\n"));
}

TEST(Story, TellsWhatWasLost) {
    const std::string told =
        story_of(R"([{"at": "p[k]/container_create#1/fate", "choose": "reply_lost"}])");
    EXPECT_THAT(told, HasSubstr("    p[k]/container_create#1/fate  reply_lost\n"));
    EXPECT_THAT(told, HasSubstr("p sends container_create#1 for k; the plan has reply_lost here"));
    EXPECT_THAT(told, HasSubstr("the engine carries out container_create#1 for k of p"));
    EXPECT_THAT(told, HasSubstr("p: container_create#1 for k gets no answer in time\n"));
}

TEST(Story, TellsWhatNeverArrived) {
    const std::string told =
        story_of(R"([{"at": "p[k]/container_start#1/fate", "choose": "request_lost"}])");
    EXPECT_THAT(told, HasSubstr("gets no answer in time; it has not reached the engine\n"));
}

TEST(Story, TellsCrashesAndCancels) {
    const std::string crashed =
        story_of(R"([{"at": "p[k]/container_start#1/crash", "choose": "in_flight"}])");
    EXPECT_THAT(crashed, HasSubstr("p CRASHES\n"));
    EXPECT_THAT(crashed, HasSubstr("p starts again, its life 2, and recovers\n"));
    const std::string cancelled =
        story_of(R"([{"at": "p[k]/container_start#1/cancel", "choose": "in_flight"}])");
    EXPECT_THAT(cancelled, HasSubstr("p/a is CANCELLED in acquire(k)\n"));
    EXPECT_THAT(cancelled, HasSubstr("p/a: acquire(k) fails: cancelled\n"));
}

TEST(Story, SaysWhatHadNoEffect) {
    const std::string told = story_of(
        R"([{"at": "p[k]/container_start#7/fate", "choose": "reply_lost",
             "repeat": "until_faults_stop"}])");
    EXPECT_THAT(told, HasSubstr("#7/fate  reply_lost, from then on until the faults stop "
                                "(did not come up)\n"));
}

Sentence at(int second, std::string text) {
    return {Time{} + std::chrono::seconds(second), std::move(text)};
}

TEST(Repeats, TellsABlockOnceAndHowOften) {
    const auto told = without_repeats({at(0, "begin"), at(1, "look#1 says 1"), at(2, "wait#1"),
                                       at(3, "look#2 says 1"), at(4, "wait#2"),
                                       at(5, "look#13 says 1"), at(6, "wait#13"), at(7, "end")});
    ASSERT_EQ(told.size(), 5U);
    EXPECT_EQ(told[2].text, "wait#1");
    EXPECT_EQ(told[3].text, "... the same 2 things happened 2 more times");
    EXPECT_EQ(told[3].at, Time{} + std::chrono::seconds(6));
    EXPECT_EQ(told[4].text, "end");
}

TEST(Repeats, LeavesPairsAndDifferencesAlone) {
    const auto told =
        without_repeats({at(0, "a"), at(1, "a"), at(2, "a 1"), at(3, "a 2"), at(4, "a 3")});
    EXPECT_EQ(told.size(), 5U);
    EXPECT_TRUE(without_repeats({}).empty());
}

}  // namespace
}  // namespace drydock::reports
