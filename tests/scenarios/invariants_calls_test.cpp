// Each invariant that speaks of calls and their errors: a history that breaks exactly it, and one
// that does not.
#include "support/history_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using scenarios::Call;
using scenarios::CallKind;
using scenarios::SandboxLife;
using scenarios::Step;
using testing::ElementsAre;
using testing::IsEmpty;

// --- truthful_error: landed

Step& failed(MadeHistory& made, Operation operation, ErrorKind kind, Landed landed) {
    Step& step = made.add_step(operation, 45, 45.1);
    step.read_as = kind;
    step.landed = landed;
    return step;
}

TEST(InvariantTruthfulError, BreaksWhereNotLandedWasApplied) {
    MadeHistory made;
    Step& step = failed(made, Operation::container_start, ErrorKind::reset, Landed::no);
    EXPECT_THAT(made.broken(), IsEmpty());
    step.was_applied = true;
    EXPECT_THAT(made.broken(), ElementsAre("truthful_error"));
    made.is_library = false;
    EXPECT_THAT(made.broken(), IsEmpty()) << "of legacy clients only the primary kind is judged";
}

TEST(InvariantTruthfulError, BreaksWhereLandedWasNotApplied) {
    MadeHistory made;
    Step& step = failed(made, Operation::container_create, ErrorKind::protocol, Landed::yes);
    EXPECT_THAT(made.broken(), ElementsAre("truthful_error"));
    step.was_answered_well = true;
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantTruthfulError, BreaksWhereAMissingConnectionLeavesUnknown) {
    MadeHistory made;
    Step& step = failed(made, Operation::container_remove, ErrorKind::connect, Landed::unknown);
    EXPECT_THAT(made.broken(), ElementsAre("truthful_error"));
    step.landed = Landed::no;
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantTruthfulError, OfAReadNothingIsAskedToHaveLanded) {
    MadeHistory made;
    Step& step = failed(made, Operation::container_inspect, ErrorKind::reset, Landed::no);
    step.was_applied = true;
    EXPECT_THAT(made.broken(), IsEmpty());
}

// --- truthful_error: the primary kind

Call& failed_acquire(MadeHistory& made, ErrorKind kind) {
    Call& call = made.add_call(CallKind::acquire, 44, 46);
    call.error = kind;
    return call;
}

TEST(InvariantTruthfulError, BreaksWhereNoStepFailedSo) {
    using enum ErrorKind;
    for (const ErrorKind kind : {cancelled, deadline, connect, reset, timeout, not_found, conflict,
                                 invalid, unavailable, ledger, teardown, internal}) {
        MadeHistory made;
        failed_acquire(made, kind);
        EXPECT_THAT(made.broken(), ElementsAre("truthful_error")) << name(kind);
    }
}

TEST(InvariantTruthfulError, AStepOfTheAttemptExplainsItsKind) {
    MadeHistory made;
    failed_acquire(made, ErrorKind::unavailable);
    failed(made, Operation::container_start, ErrorKind::unavailable, Landed::no);
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantTruthfulError, ATeardownsFailureDoesNotExplainThePrimaryKind) {
    MadeHistory made;
    failed_acquire(made, ErrorKind::unavailable);
    failed(made, Operation::container_remove, ErrorKind::unavailable, Landed::unknown);
    EXPECT_THAT(made.broken(), ElementsAre("truthful_error"));
}

TEST(InvariantTruthfulError, ABootstrapsFailureExplainsItsKind) {
    MadeHistory made;
    failed_acquire(made, ErrorKind::forbidden);
    Step& step = made.add_step(Operation::bootstrap, 45, 45.1);
    step.value = 1 + static_cast<std::uint64_t>(ErrorKind::forbidden);
    EXPECT_THAT(made.broken(), IsEmpty());
    step.value = 1 + static_cast<std::uint64_t>(ErrorKind::conflict);
    EXPECT_THAT(made.broken(), ElementsAre("truthful_error"));
}

TEST(InvariantTruthfulError, ACancelExplainsCancelled) {
    MadeHistory made;
    Call& call = failed_acquire(made, ErrorKind::cancelled);
    call.struck = at(45);
    EXPECT_THAT(made.broken(), IsEmpty());
    call.struck = at(47);
    EXPECT_THAT(made.broken(), ElementsAre("truthful_error")) << "it had returned by then";
}

TEST(InvariantTruthfulError, ACleanupExplainsCancelled) {
    MadeHistory made;
    failed_acquire(made, ErrorKind::cancelled);
    made.add_call(CallKind::cleanup, 45, 45.5);
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantTruthfulError, ARecordThatFailedExplainsLedger) {
    MadeHistory made;
    failed_acquire(made, ErrorKind::ledger);
    made.add_step(Operation::ledger_put, 44.1, 44.2).value = 1;
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantTruthfulError, ALeftoverExplainsTeardown) {
    MadeHistory made;
    failed_acquire(made, ErrorKind::teardown);
    made.add_row(7, 40, 48);
    EXPECT_THAT(made.broken(), IsEmpty());
}

// --- bounded

TEST(InvariantBounded, BreaksWhereOneAcquireMakesMoreThanItsAttempts) {
    for (const int attempts : {3, 4}) {
        MadeHistory made;
        made.acquire().span.to = at(1);
        made.history.sandboxes.clear();
        made.history.steps.clear();
        made.acquire().error = ErrorKind::provisioning;
        for (int i = 0; i < attempts; ++i) {
            const double from = 0.2 + 0.2 * i;
            SandboxLife& life = made.add_sandbox(from, from + 0.1);
            made.remove(life, from + 0.05);
        }
        if (attempts > 3) {
            EXPECT_THAT(made.broken(), ElementsAre("bounded"));
        } else {
            EXPECT_THAT(made.broken(), IsEmpty());
        }
    }
}

TEST(InvariantBounded, BreaksWhereACancelledCallReturnsTooLate) {
    MadeHistory made;
    made.history.normal_ends.clear();
    made.history.lives[0].second.to = at(500);
    made.history.end = at(600);
    Call& call = failed_acquire(made, ErrorKind::cancelled);
    call.struck = at(45);
    call.span.to = at(45 + 94);
    EXPECT_THAT(made.broken(), IsEmpty()) << "teardown deadline, request timeout and some slack";
    call.span.to = at(45 + 96);
    EXPECT_THAT(made.broken(), ElementsAre("bounded"));
}

TEST(InvariantBounded, ACancelledReleaseIsBoundedToo) {
    MadeHistory made;
    made.history.normal_ends.clear();
    made.history.lives[0].second.to = at(500);
    made.history.end = at(600);
    made.release().struck = at(41.5);
    made.release().span.to = at(141);
    EXPECT_THAT(made.broken(), ElementsAre("bounded"));
}

TEST(InvariantBounded, TheTimeOfASlowRecordIsNotTheCalls) {
    MadeHistory made;
    made.history.normal_ends.clear();
    made.history.lives[0].second.to = at(500);
    made.history.end = at(600);
    Call& call = failed_acquire(made, ErrorKind::cancelled);
    call.struck = at(45);
    call.span.to = at(160);
    made.add_step(Operation::ledger_put, 50, 75);
    EXPECT_THAT(made.broken(), IsEmpty());
}

// --- no_stuck

TEST(InvariantNoStuck, BreaksWhereSomethingDidNotEnd) {
    MadeHistory made;
    made.is_stuck = true;
    EXPECT_THAT(made.broken(), ElementsAre("no_stuck"));
    EXPECT_EQ(made.violations().at(0).story, "it had not ended at 1m 40.000s: runner/main");
    made.is_endless = true;
    EXPECT_EQ(made.violations().at(0).story,
              "it had not ended at 1m 40.000s, having met the bound on operations and steps of a "
              "run: runner/main");
}

}  // namespace
}  // namespace drydock::test
