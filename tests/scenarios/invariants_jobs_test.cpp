#include "support/history_kit.hpp"

#include <drydock/sim/job_output.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using scenarios::CallKind;
using scenarios::JobInput;
using scenarios::JobReport;
using scenarios::SandboxLife;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

JobReport true_report() {
    JobReport report;
    report.exit_code = 3;
    report.out = sim::job_output(false, 20);
    return report;
}

TEST(Invariants, AJobThatRanOnceAndIsToldTrulyBreaksNone) {
    MadeHistory made;
    made.add_job("j", 5, 10);
    made.add_job("other", 11, 12);
    const JobReport report = true_report();
    made.add_claim("j", 10, report);
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(Invariants, AJobThatBeganTwiceBreaksNoDoubleRun) {
    MadeHistory made;
    made.add_job("j", 5, 10);
    made.add_job("j", 6, 10);
    EXPECT_THAT(made.broken(), ElementsAre("no_double_run"));
}

TEST(Invariants, OneIdInTwoLeasesIsTwoJobs) {
    MadeHistory made;
    SandboxLife& life = made.add_sandbox(5, 41);
    made.add_job("j", 5, 10);
    made.add_job("j", 11, 15).sandbox = life.truth->number;
    EXPECT_THAT(made.broken(), Contains("no_double_run"));
    life.lease = MadeHistory::other_lease;
    EXPECT_THAT(made.broken(), Not(Contains("no_double_run")));
    life.lease = MadeHistory::k;
    life.process = MadeHistory::other;
    EXPECT_THAT(made.broken(), Not(Contains("no_double_run")));
}

TEST(Invariants, AJobRunsAgainInItsLeasesNextSandboxOnlyIfItIsAskedForThere) {
    MadeHistory made;
    made.add_job("j", 5, 10);
    SandboxLife& next = made.add_sandbox(20, 41);
    next.held = {{at(21), at(40)}};
    made.add_job("j", 30, 35).sandbox = next.truth->number;
    made.launches = {{MadeHistory::runner, MadeHistory::k, "j", at(5)}};
    EXPECT_THAT(made.broken(), Contains("no_double_run")) << "the client ran it by itself";
    made.launches.push_back({MadeHistory::runner, MadeHistory::k, "another", at(30)});
    made.launches.push_back({MadeHistory::runner, MadeHistory::other_lease, "j", at(30)});
    EXPECT_THAT(made.broken(), Contains("no_double_run"));
    made.launches.push_back({MadeHistory::runner, MadeHistory::k, "j", at(30)});
    EXPECT_THAT(made.broken(), Not(Contains("no_double_run")));
    made.add_job("j", 36, 37).sandbox = next.truth->number;
    EXPECT_THAT(made.broken(), Contains("no_double_run")) << "asked for or not";
}

JobInput five_bytes() {
    return {.process = MadeHistory::runner,
            .lease = MadeHistory::k,
            .job = "j",
            .text = "12345",
            .asked = at(6)};
}

TEST(Invariants, InputThatComesTwiceBreaksNoDoubleRun) {
    MadeHistory made;
    made.inputs = {five_bytes()};
    made.add_job("j", 5, 10).in = {"12345"};
    EXPECT_THAT(made.broken(), IsEmpty());
    made.processes.back().in = {"12345", "12345"};
    EXPECT_THAT(made.broken(), ElementsAre("no_double_run"));
    made.inputs.push_back(five_bytes());
    EXPECT_THAT(made.broken(), IsEmpty()) << "who writes twice is told so twice";
}

// What else was given makes no room for it.
TEST(Invariants, EachWriteCountsForItself) {
    MadeHistory made;
    made.add_job("j", 5, 10).in = {"12345", "12345"};
    const auto broken_with = [&](auto change) {
        JobInput other = five_bytes();
        change(other);
        made.inputs = {five_bytes(), other};
        return made.broken();
    };
    const auto twice = ElementsAre("no_double_run");
    EXPECT_THAT(broken_with([](JobInput&) {}), IsEmpty());
    EXPECT_THAT(broken_with([](JobInput& other) { other.text = "1234567890"; }), twice);
    EXPECT_THAT(broken_with([](JobInput& other) { other.job = "another"; }), twice);
    EXPECT_THAT(broken_with([](JobInput& other) { other.lease = MadeHistory::other_lease; }),
                twice);
    EXPECT_THAT(broken_with([](JobInput& other) { other.process = MadeHistory::other; }), twice);
    EXPECT_THAT(broken_with([](JobInput& other) { other.asked = at(41.5); }), twice);
}

TEST(Invariants, AJobThatNobodyAskedToKillBreaksNoWrongKill) {
    MadeHistory made;
    made.add_job("", 5, 6);
    made.add_job("j", 5, 10).killed_by = 1;
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
    made.kills = {{MadeHistory::other, MadeHistory::k, "j"},
                  {MadeHistory::runner, MadeHistory::other_lease, "j"},
                  {MadeHistory::runner, MadeHistory::k, "another"}};
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
    made.kills.push_back({MadeHistory::runner, MadeHistory::k, "j"});
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(Invariants, AJobMayKillItsOwn) {
    MadeHistory made;
    made.add_job("j", 5, 10);
    sim::ProcessTruth& child = made.add_job("j", 6, 10);
    child.begins_job = false;
    child.killed_by = 1;
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(Invariants, AChildOfAJobIsNoSecondRun) {
    MadeHistory made;
    made.add_job("j", 5, 10);
    made.add_job("j", 6, 10).begins_job = false;
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(Invariants, WhatIsSaidOfAJobMustBeTrue) {
    const auto broken_by = [](auto change) {
        MadeHistory made;
        made.add_job("j", 5, 10);
        JobReport report = true_report();
        double when = 20;
        change(report, when);
        made.add_claim("j", when, report);
        return made.broken();
    };
    const auto lost = ElementsAre("no_lost_result");
    EXPECT_THAT(broken_by([](JobReport& report, double&) { report.exit_code = 0; }), lost);
    EXPECT_THAT(broken_by([](JobReport& report, double&) { report.out.pop_back(); }), lost);
    EXPECT_THAT(broken_by([](JobReport& report, double&) { report.out[3] = 'x'; }), lost);
    EXPECT_THAT(broken_by([](JobReport& report, double&) { report.err = "e"; }), lost);
    EXPECT_THAT(broken_by([](JobReport& report, double&) { report.has_begun = false; }), lost);
    EXPECT_THAT(broken_by([](JobReport&, double& when) { when = 9; }), lost);
}

TEST(Invariants, AJobThatIsSaidToBeOverDoesNotBeginAnyMore) {
    MadeHistory made;
    JobReport report;
    report.has_begun = false;
    made.add_claim("j", 20, report);
    EXPECT_THAT(made.broken(), IsEmpty());
    made.add_job("j", 21, 22);
    EXPECT_THAT(made.broken(), ElementsAre("no_lost_result"));
    made.sandbox().life.from = at(20.5);  // another one than it was said of
    EXPECT_THAT(made.broken(), Not(Contains("no_lost_result")));
}

TEST(Invariants, TheEndOfAJobIsHeardOfWithinAnHour) {
    MadeHistory made;
    made.add_job("j", 5, 10);
    const JobReport report = true_report();
    made.add_claim("j", 3600, report);
    EXPECT_THAT(made.broken(), IsEmpty());
    made.claims.back().at = at(3611);
    EXPECT_THAT(made.broken(), ElementsAre("bounded"));
    made.claims.back().asked = at(3000);
    EXPECT_THAT(made.broken(), IsEmpty());
    made.claims.back().asked = at(5);
    sim::ProcessTruth& child = made.add_job("j", 6, 3000);
    child.begins_job = false;
    EXPECT_THAT(made.broken(), IsEmpty()) << "what it left behind ended then";
}

TEST(Invariants, WhatIsSaidToBeUnknownIsNotWrong) {
    MadeHistory made;
    made.add_job("j", 5, 10);
    JobReport report;
    report.is_whole = false;
    made.add_claim("j", 20, report);
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(Invariants, AnExitCodeOfAJobThatNeverBeganIsMadeUp) {
    MadeHistory made;
    JobReport report;
    report.exit_code = 0;
    made.add_claim("j", 20, report);
    EXPECT_THAT(made.broken(), ElementsAre("no_lost_result"));
}

TEST(Invariants, AJobThatIsFiledAsInternalBreaksTruthfulError) {
    MadeHistory made;
    made.add_call(CallKind::run, 5, 10).error = ErrorKind::internal;
    EXPECT_THAT(made.broken(), ElementsAre("truthful_error"));
    made.history.calls.back().error = ErrorKind::reset;
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(Invariants, AJobWhoseEndIsInDoubtMayTakeTheSandboxFromItsHolders) {
    MadeHistory made;
    made.sandbox().held = {{at(1), at(41)}};
    made.sandbox().removals = {{.span = {at(20), at(21)}, .process = MadeHistory::runner}};
    EXPECT_THAT(made.broken(), Contains("no_wrong_kill"));
    made.add_call(CallKind::wait, 10, 30).error = ErrorKind::deadline;
    EXPECT_THAT(made.broken(), Not(Contains("no_wrong_kill")));
}

// Its time counts from the first remove, though the hold lasts to the end of the call.
TEST(Invariants, ATeardownForAJobMayTakeAllItsTimeWithinTheCall) {
    MadeHistory made;
    made.history.lives = {{MadeHistory::runner, {at(0), at(80)}}};
    made.history.normal_ends = {{MadeHistory::runner, at(80)}};
    made.sandbox().life.to = scenarios::forever;
    made.sandbox().held = {{at(1), at(80)}};
    made.sandbox().removal_accepted.reset();
    made.sandbox().removals = {{.span = {at(20), at(21)}, .process = MadeHistory::runner}};
    made.row().span.to = scenarios::forever;
    made.release().span = {at(80), at(80)};
    EXPECT_THAT(made.broken(), Contains("owner_teardown"));
    scenarios::Call& run = made.add_call(CallKind::run, 10, 80);
    run.error = ErrorKind::deadline;
    EXPECT_THAT(made.broken(), Not(Contains("owner_teardown")));
    made.sandbox().removals[0].span = {at(21), at(22)};
    EXPECT_THAT(made.broken(), Contains("owner_teardown")) << "given up before its deadline";
}

}  // namespace
}  // namespace drydock::test
