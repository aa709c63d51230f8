#include "support/history_kit.hpp"

#include <drydock/sim/job_output.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using scenarios::CallKind;
using scenarios::JobReport;
using testing::ElementsAre;
using testing::IsEmpty;

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

TEST(Invariants, InputThatComesTwiceBreaksNoDoubleRun) {
    MadeHistory made;
    made.inputs = {{MadeHistory::runner, "j", 5}};
    made.add_job("j", 5, 10).in = 5;
    EXPECT_THAT(made.broken(), IsEmpty());
    made.processes.back().in = 10;
    EXPECT_THAT(made.broken(), ElementsAre("no_double_run"));
}

TEST(Invariants, AJobThatNobodyAskedToKillBreaksNoWrongKill) {
    MadeHistory made;
    made.add_job("", 5, 6);
    made.add_job("j", 5, 10).killed_by = 1;
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
    made.kills = {{MadeHistory::other, "j"}, {MadeHistory::runner, "another"}};
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
    made.kills.push_back({MadeHistory::runner, "j"});
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
    EXPECT_THAT(made.broken(), testing::Not(testing::Contains("no_lost_result")));
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
    EXPECT_THAT(made.broken(), testing::Contains("no_wrong_kill"));
    made.add_call(CallKind::wait, 10, 30).error = ErrorKind::deadline;
    EXPECT_THAT(made.broken(), testing::Not(testing::Contains("no_wrong_kill")));
}

}  // namespace
}  // namespace drydock::test
