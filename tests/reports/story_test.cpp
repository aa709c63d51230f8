#include <drydock/reports/story.hpp>

#include "story/repeats.hpp"
#include "story/whereabouts.hpp"

#include <drydock/scenarios/reader.hpp>
#include <drydock/sim/backends.hpp>

#include <gmock/gmock.h>

namespace drydock::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Played {
    scenarios::Scenario scenario;
    scenarios::TestedRun run;
};

/// A client on a scenario of one actor with these steps, with this plan.
Played run_of(const std::string& plan, const std::string& name, const std::string& steps) {
    const std::vector<std::string> kinds{"docker"};
    Played played{scenarios::read_scenario(
                      R"({"schema": "drydock.scenario/1", "name": "told",
            "backend": {"kind": "docker"},
            "processes": [{"name": "p", "actors": [{"name": "a", "steps": )" +
                          steps + R"(}]}], "plan": )" + plan + "}",
                      "told.json", kinds),
                  {}};
    sim::BackendRegistry backends;
    sim::register_builtin_backends(backends);
    const scenarios::ClientRegistry clients = scenarios::builtin_clients();
    const scenarios::ClientKind& client = *clients.find(name);
    const sim::BackendKind& backend = *backends.find("docker");
    const scenarios::RunRequest request{
        .scenario = played.scenario, .backend = backend, .client = client, .keep_trace = true};
    played.run = {played.scenario.name, backend.name, client.name,
                  run_plan(request, played.scenario.plan, false)};
    return played;
}

constexpr const char* one_lease = R"([{"acquire": "k"}, {"hold": "1s"}, {"release": "k"}])";
constexpr const char* two_leases =
    R"([{"acquire": "k"}, {"acquire": "j"}, {"hold": "1s"}, {"release": "j"}, {"release": "k"}])";
constexpr const char* failed_look =
    R"plan([{"at": "p[k]/container_inspect#2/fate", "choose": "status_before(500)"}])plan";

std::string story_of(const std::string& plan, const std::string& name = "library") {
    const Played played = run_of(plan, name, one_lease);
    return story(played.scenario, played.run);
}

TEST(Story, TellsCallsSandboxesAndTheEnd) {
    const std::string told = story_of("[]");
    EXPECT_THAT(told, testing::StartsWith("told on docker, client library\nThe plan is empty"));
    EXPECT_THAT(told, HasSubstr("   1.      0.000s  p/a calls acquire(k)\n"));
    EXPECT_THAT(told, HasSubstr("sandbox 1 (p[k], attempt 1) now exists\n"));
    EXPECT_THAT(told, HasSubstr("p asks for a sandbox (container_create#1 for k), which is "
                                "answered 201: sandbox 1 (attempt 1)\n"));
    EXPECT_THAT(told, HasSubstr("p/a: acquire(k) returns sandbox 1\n"));
    EXPECT_THAT(told, HasSubstr("p/a calls release(k)\n"));
    EXPECT_THAT(told, HasSubstr("sandbox 1 is gone\n"));
    EXPECT_THAT(told, testing::EndsWith("In the end nothing of ours exists.\n"
                                        "No invariant is broken.\n"));
}

TEST(Story, TellsWhatWasLost) {
    const std::string told =
        story_of(R"([{"at": "p[k]/container_create#1/fate", "choose": "reply_lost"}])");
    EXPECT_THAT(told, HasSubstr("    p[k]/container_create#1/fate  reply_lost\n"));
    EXPECT_THAT(told, HasSubstr("p asks for a sandbox (container_create#1 for k); the plan: "
                                "reply_lost\n"));
    // Who held what when it was lost, and what was believed beside what was true.
    EXPECT_THAT(told, HasSubstr("the engine has made sandbox 1 (container_create#1 for k of p) and "
                                "answers 201; the reply is LOST (p/a is in acquire(k); the ledger "
                                "has attempt 1 of k as intent)\n"));
    EXPECT_THAT(told,
                HasSubstr("p: container_create#1 for k gets no answer within 30s; p cannot tell "
                          "whether it was done; in truth the engine has made sandbox 1\n"));
}

TEST(Story, TellsWhatNeverArrived) {
    const std::string told =
        story_of(R"([{"at": "p[k]/container_start#1/fate", "choose": "request_lost"}])");
    EXPECT_THAT(told,
                HasSubstr("the plan: request_lost; the request is LOST (p/a is in "
                          "acquire(k); sandbox 1 is there (created); the ledger has attempt 1 of k "
                          "as created)\n"));
    EXPECT_THAT(told, HasSubstr("gets no answer within 30s; p cannot tell whether it was done; in "
                                "truth it has not reached the engine\n"));
}

TEST(Story, TellsCrashesAndCancels) {
    const std::string crashed =
        story_of(R"([{"at": "p[k]/container_start#1/crash", "choose": "in_flight"}])");
    EXPECT_THAT(crashed, HasSubstr("p CRASHES; p/a is in acquire(k); cut off: container_start#1 "
                                   "for k (it had not reached the engine); sandbox 1 is there "
                                   "(created); the ledger has attempt 1 of k as "
                                   "created\n"));
    EXPECT_THAT(
        crashed,
        HasSubstr("p starts again (its 2nd start) and recovers; sandbox 1 is there (running); "
                  "the ledger has attempt 1 of k as created\n"));
    const std::string cancelled =
        story_of(R"([{"at": "p[k]/container_start#1/cancel", "choose": "in_flight"}])");
    EXPECT_THAT(cancelled, HasSubstr("p/a is CANCELLED in acquire(k), amid container_start#1 for "
                                     "k (it had not reached the engine); sandbox 1 is there "
                                     "(created); the ledger has attempt 1 of k as "
                                     "created\n"));
    EXPECT_THAT(cancelled, HasSubstr("p/a: acquire(k) fails: cancelled\n"));
}

TEST(Story, TellsWhoHeldWhatWhenTheProcessDied) {
    const Played played =
        run_of(R"([{"at": "p[j]/container_create#1/crash", "choose": "in_flight"}])", "library",
               two_leases);
    const std::string told = story(played.scenario, played.run);
    EXPECT_THAT(told, HasSubstr("p CRASHES; p/a is in acquire(j); cut off: container_create#1 for "
                                "j (it had not reached the engine); sandbox 1 is held by p/a "
                                "(running); the ledger has attempt 1 "
                                "of k as created; the ledger has attempt 1 of j as intent\n"));
}

TEST(Story, TellsThatWhatACallReturnsIsGoingAlready) {
    const std::string told =
        story_of(R"([{"at": "p[k]/container_inspect#1/engine", "choose": "ttl_expiry"}])");
    EXPECT_THAT(told, HasSubstr("acquire(k) returns sandbox 1, which the engine is removing\n"));
}

TEST(Whereabouts, HoldsEndByReleaseOfTheirActorAndByTheLastHandle) {
    faults::Names names;
    names.process("p");
    names.lease("k");
    scenarios::Scenario scenario;
    scenario.processes = {{"p", {{"a", {}}, {"b", {}}}}};
    std::vector<sim::SandboxTruth> truth(1);
    truth[0].owner = "p";
    truth[0].lease = "k";
    Whereabouts now(scenario, truth, names);
    now.take({.kind = sim::EventKind::born, .subject = 1});
    for (const std::uint32_t actor : {1U, 2U}) {
        now.take({.kind = sim::EventKind::sandbox_named, .lease = 1, .subject = 1});
        now.take({.kind = sim::EventKind::call_ended, .lease = 1, .subject = actor});
    }
    EXPECT_EQ(now.holders_of(1), "p/a and p/b");
    EXPECT_EQ(now.left_over(0, 0), "");
    now.take({.kind = sim::EventKind::call_begun,
              .detail = static_cast<std::uint8_t>(scenarios::CallKind::release),
              .lease = 1,
              .subject = 1});
    EXPECT_EQ(now.holders_of(1), "p/b");
    now.take({.kind = sim::EventKind::call_ended, .lease = 1, .subject = 1});
    now.take({.kind = sim::EventKind::handle_dropped, .lease = 1});
    EXPECT_EQ(now.holders_of(1), "");
    EXPECT_EQ(now.left_over(0, 0), "sandbox 1 (created, on no record)");
}

TEST(Story, TellsWhatMayStillLandAndWhatMadeALateSandbox) {
    const std::string told = story_of(
        R"plan([{"at": "p[k]/container_create#1/fate", "choose": "late(after_retry)"}])plan",
        "e2b-1658");
    EXPECT_THAT(told, HasSubstr("gets no answer within 30s; p cannot tell whether it was done; in "
                                "truth it is still on its way and may land later\n"));
    EXPECT_THAT(told, Not(HasSubstr("of p may still land")));
    EXPECT_THAT(told, HasSubstr("p lists its sandboxes (container_list#1 for k), which is answered "
                                "200 while k has no sandbox\n"));
    EXPECT_THAT(told, HasSubstr("answered 201: sandbox 1 (attempt 2)\n"));
    EXPECT_THAT(told, HasSubstr("sandbox 1 (p[k], attempt 2) now exists\n"));
    EXPECT_THAT(told, HasSubstr("sandbox 2 (p[k], attempt 1) now exists, made by the late "
                                "container_create#1\n"));
}

TEST(Story, TellsThatAReleaseSentNothing) {
    const std::string told = story_of(
        R"plan([{"at": "p[k]/container_create#1/fate", "choose": "status_before(400)"}])plan",
        "failed-probe");
    EXPECT_THAT(told, HasSubstr("p/a: release(k) sends nothing and returns\n"));
    EXPECT_THAT(story_of("[]"), HasSubstr("p/a: release(k) returns\n"));
}

TEST(Story, TellsThatRecoverySentNothing) {
    const std::string crash =
        R"([{"at": "p[k]/container_create#1/crash", "choose": "with_completion"}])";
    const std::string without = story_of(crash, "suna-3571");
    EXPECT_THAT(without, HasSubstr("p ends; recovery sent nothing: its ledger has no open row; "
                                   "there still is sandbox 1 (created, on no record)\n"));
    EXPECT_THAT(story_of(crash), Not(HasSubstr("recovery sent nothing")));
}

// Right behind the sentence that it now exists, there is no need to say so.
TEST(Story, SaysOnceThatASandboxNowExists) {
    const std::string told =
        story_of(R"([{"at": "p[k]/container_create#1/crash", "choose": "with_completion"}])");
    EXPECT_THAT(told,
                HasSubstr("cut off: container_create#1 for k (the engine had accepted it); the "
                          "ledger has attempt 1 of k as intent\n"));
}

TEST(Story, SaysWhatHadNoEffect) {
    const std::string told = story_of(
        R"([{"at": "p[k]/container_start#7/fate", "choose": "reply_lost",
             "repeat": "until_faults_stop"}])");
    EXPECT_THAT(told, HasSubstr("#7/fate  reply_lost, from then on until the faults stop "
                                "(did not come up)\n"));
}

TEST(Story, TellsALeakFromTheMomentOnAtWhichNobodyHasIt) {
    const std::string told = story_of(failed_look, "failed-probe");
    EXPECT_THAT(told, HasSubstr("container_inspect#2 for k is answered 500; in truth sandbox 1 is "
                                "running\n"));
    EXPECT_THAT(told,
                HasSubstr("  11.      1.008s  p/a: release(k) returns as if nothing were left; "
                          "there still is sandbox 1 (running, on no record)\n"));
    EXPECT_THAT(told,
                HasSubstr("  14.      1.008s  from here on no_leak is BROKEN for sandbox 1 of "
                          "p[k] (attempt 1): nothing accounts for sandbox 1 any more: nobody holds "
                          "it, no call is at work on its lease, no ledger row names it\n"));
    EXPECT_THAT(told, HasSubstr("sandbox 1 of p[k], attempt 1, still exists (exited): held by "
                                "nobody, on no record\n"));
    EXPECT_THAT(told, HasSubstr("BROKEN no_leak at 14: sandbox 1 of p[k] (attempt 1): it was born "
                                "at 0.001s, and from 1.008s on nobody held it"));
    EXPECT_THAT(told, HasSubstr("    the rule: every sandbox of ours is held"));
}

TEST(Story, TellsNoChoiceOnceTheFaultsHaveStopped) {
    const std::string told = story_of(
        R"([{"at": "p[k]/container_remove#1/fate", "choose": "refused",
             "repeat": "until_faults_stop"}])");
    const std::size_t stop = told.find("the faults stop: ");
    ASSERT_NE(stop, std::string::npos);
    EXPECT_NE(told.find("the plan: refused"), std::string::npos);
    EXPECT_LT(told.rfind("the plan: refused"), stop);
    EXPECT_THAT(told.substr(stop), HasSubstr("p asks to remove sandbox 1 (container_remove#"));
}

TEST(Story, ACancelledBootstrapIsNotUnderWayForEver) {
    const scenarios::Scenario scenario;
    faults::Names names;
    names.process("p");
    Whereabouts now(scenario, {}, names);
    const sim::Event bootstrap{.kind = sim::EventKind::started,
                               .operation = static_cast<std::uint8_t>(Operation::bootstrap),
                               .n = 1};
    now.take(bootstrap);
    now.take({.kind = sim::EventKind::call_struck});
    EXPECT_EQ(now.under_way(0, 0), "bootstrap#1");
    now.take({.kind = sim::EventKind::started,
              .operation = static_cast<std::uint8_t>(Operation::container_remove),
              .n = 1});
    EXPECT_EQ(now.under_way(0, 0), "container_remove#1 (it had not reached the engine)");
    now.take({.kind = sim::EventKind::arrived,
              .operation = static_cast<std::uint8_t>(Operation::container_remove),
              .n = 1});
    EXPECT_EQ(now.under_way(0, 0), "container_remove#1 (it had reached the engine)");
    now.take({.kind = sim::EventKind::applied,
              .operation = static_cast<std::uint8_t>(Operation::container_remove),
              .n = 1});
    EXPECT_EQ(now.under_way(0, 0), "container_remove#1 (the engine had accepted it)");
}

TEST(Story, DecisiveLinesKeepTheirNumbers) {
    const Played played = run_of(failed_look, "failed-probe", one_lease);
    const std::vector<std::string> lines = decisive_lines(played.scenario, played.run);
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_THAT(lines[1], testing::StartsWith("   9.      1.006s  p looks at sandbox 1"));
    EXPECT_THAT(lines[3], HasSubstr("returns as if nothing were left"));
    EXPECT_THAT(lines[4], HasSubstr("no_leak is BROKEN"));
}

Sentence at(int second, std::string text) {
    return {Time{} + std::chrono::seconds(second), std::move(text)};
}

Sentence routine(int second, std::string flow, std::string text) {
    return {.at = Time{} + std::chrono::seconds(second),
            .text = std::move(text),
            .is_routine = true,
            .flow = std::move(flow)};
}

std::vector<std::string> texts_without_repeats(std::vector<Sentence> sentences) {
    std::vector<std::string> texts;
    for (Sentence& sentence : without_repeats(std::move(sentences)))
        texts.push_back(std::move(sentence.text));
    return texts;
}

TEST(Repeats, TellsALoopOnceAndHowOften) {
    EXPECT_THAT(
        texts_without_repeats({at(0, "begin"), routine(1, "p[k]", "look#1 says 1"),
                               routine(2, "p[k]", "wait#1"), routine(3, "p[k]", "look#2 says 1"),
                               routine(4, "p[k]", "wait#2"), routine(5, "p[k]", "look#13 says 1"),
                               routine(6, "p[k]", "wait#13"), at(7, "end")}),
        testing::ElementsAre("begin", "look#1 says 1", "wait#1",
                             "... p[k] goes on like this 2 more times, until 6.000s", "end"));
}

TEST(Repeats, TellsLoopsApartThatRunAtOnce) {
    std::vector<Sentence> sentences;
    for (int i = 0; i < 30; ++i) {
        sentences.push_back(routine(i, "p[j]", "try#" + std::to_string(i)));
        if (i % 3 == 0) sentences.push_back(routine(i, "p[k]", "look#" + std::to_string(i)));
        if (i % 7 == 0) sentences.push_back(routine(i, "p[k]", "wait#" + std::to_string(i)));
    }
    EXPECT_THAT(texts_without_repeats(sentences),
                testing::ElementsAre("try#0", "look#0", "wait#0",
                                     "... p[j] goes on like this 29 more times, until 29.000s",
                                     "... p[k] goes on like this 9 more times, until 28.000s"));
}

TEST(Repeats, TellsAnewAfterATurningPoint) {
    std::vector<Sentence> sentences;
    for (int i = 0; i < 5; ++i)
        sentences.push_back(routine(i, "p[k]", "try"));
    sentences.push_back(at(5, "p CRASHES"));
    sentences.push_back(routine(6, "p[k]", "try"));
    EXPECT_THAT(
        texts_without_repeats(sentences),
        testing::ElementsAre("try", testing::HasSubstr("4 more times"), "p CRASHES", "try"));
}

TEST(Repeats, LeavesPairsDifferencesAndDecisiveSentencesAlone) {
    const std::vector<Sentence> all{
        routine(0, "f", "a"),       routine(1, "f", "a"),       routine(2, "f", "a 1"),
        routine(3, "f", "a 2"),     routine(4, "f", "a 3"),     at(5, "the reply is LOST"),
        at(6, "the reply is LOST"), at(7, "the reply is LOST"), at(8, "the reply is LOST")};
    EXPECT_EQ(without_repeats(all).size(), all.size());
    EXPECT_TRUE(without_repeats({}).empty());
}

// Told each time where the plan chose each; after its first time where one choice repeats.
TEST(Repeats, LeavesEachChoiceOfThePlan) {
    std::string each = "[";
    for (int n = 1; n <= 5; ++n) {
        each += R"({"at": "p[k]/container_remove#)" + std::to_string(n) +
                R"-(/fate", "choose": "status_before(500)"},)-";
    }
    each.back() = ']';
    const std::string repeated = R"-([{"at": "p[k]/container_remove#1/fate",
        "choose": "status_before(500)", "repeat": "until_faults_stop"}])-";
    const auto chosen = [](const std::string& told) {
        std::size_t count = 0;
        for (std::size_t at = told.find("the plan: status"); at != std::string::npos;
             at = told.find("the plan: status", at + 1))
            ++count;
        return count;
    };
    EXPECT_EQ(chosen(story_of(each)), 5U);
    const std::string told = story_of(repeated);
    EXPECT_LT(chosen(told), 5U);
    EXPECT_THAT(told, HasSubstr("container_remove#1 for k); the plan"));
    EXPECT_THAT(told, HasSubstr("... p[k] goes on like this "));
    EXPECT_LT(std::count(told.begin(), told.end(), '\n'), 120);
}

}  // namespace
}  // namespace drydock::reports
