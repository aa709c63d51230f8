// Each invariant that speaks of sandboxes: a history that breaks exactly it, and one that does not.
#include "support/history_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using scenarios::CallKind;
using scenarios::forever;
using scenarios::SandboxLife;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Invariants, AreElevenWithDistinctNames) {
    std::set<std::string_view> names;
    for (const scenarios::Invariant& each : scenarios::all_invariants()) {
        names.insert(each.name);
        EXPECT_FALSE(each.about.empty());
    }
    EXPECT_EQ(names.size(), 11U);
}

TEST(Invariants, AFineHistoryBreaksNone) {
    MadeHistory made;
    EXPECT_THAT(made.broken(), IsEmpty());
    made.has_ledger = false;
    EXPECT_THAT(made.broken(), IsEmpty());
}

// --- no_leak

TEST(InvariantNoLeak, BreaksWhereNobodyIsBoundToRemoveForAMoment) {
    MadeHistory made;
    made.sandbox().held = {{at(1), at(40.5)}};
    made.row().span.to = at(40.4);
    EXPECT_THAT(made.broken(), ElementsAre("no_leak"));
    made.row().span.to = at(41);
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantNoLeak, AMomentCountsOnlyForAClientWithALedger) {
    MadeHistory made;
    made.sandbox().held = {{at(1), at(40.5)}};
    made.row().span.to = at(40.4);
    made.has_ledger = false;
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantNoLeak, BreaksWhereASandboxIsThereAtTheEnd) {
    MadeHistory made;
    made.has_ledger = false;
    made.sandbox().life.to = forever;
    made.sandbox().removal_accepted.reset();
    EXPECT_THAT(made.broken(), ElementsAre("no_leak"));
    made.sandbox().life.to = at(99);
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantNoLeak, AHeldSandboxAtTheEndMustBeExpected) {
    MadeHistory made;
    made.sandbox().life.to = forever;
    made.sandbox().held = {{at(1), forever}};
    made.sandbox().removals.clear();
    made.sandbox().removal_accepted.reset();
    made.history.calls.pop_back();
    made.row().span.to = forever;
    made.history.normal_ends.clear();
    made.history.lives[0].second.to = forever;
    EXPECT_THAT(made.broken(), ElementsAre("no_leak"));
    made.expected_held = {"other[k]"};
    EXPECT_THAT(made.broken(), ElementsAre("no_leak"));
    made.expected_held = {"runner[k]"};
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantNoLeak, ExpectedAloneIsNotHeld) {
    MadeHistory made;
    made.has_ledger = false;
    made.sandbox().life.to = forever;
    made.expected_held = {"runner[k]"};
    EXPECT_THAT(made.broken(), ElementsAre("no_leak"));
}

// --- one_per_lease

/// A second sandbox beside the first one's hold.
SandboxLife& second_sandbox(MadeHistory& made, double from, double to) {
    SandboxLife& life = made.add_sandbox(from, to);
    made.add_row(life.truth->attempt, from - 0.2, to + 1);
    life.held.push_back({at(from), at(to - 0.1)});
    made.remove(life, to - 0.1);
    return life;
}

TEST(InvariantOnePerLease, BreaksWhereTwoExistThatNobodyRemoves) {
    MadeHistory made;
    second_sandbox(made, 20, 30);
    EXPECT_THAT(made.broken(), ElementsAre("one_per_lease"));
}

TEST(InvariantOnePerLease, OneAfterTheOtherIsFine) {
    MadeHistory made;
    made.add_call(CallKind::acquire, 43, 44.5);
    made.add_call(CallKind::release, 48.9, 49.5);
    SandboxLife& life = second_sandbox(made, 44, 49);
    life.held = {{at(44.5), at(48.9)}};
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantOnePerLease, OneUnderRemovalDoesNotCount) {
    MadeHistory made;
    made.sandbox().life.to = at(45);  // accepted at 41
    made.add_call(CallKind::acquire, 43, 44.5);
    made.add_call(CallKind::release, 48.9, 49.5);
    SandboxLife& life = second_sandbox(made, 44, 49);
    life.held = {{at(44.5), at(48.9)}};
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantOnePerLease, ALateLandingHasItsBound) {
    for (const double gone : {60.0, 90.0}) {
        MadeHistory made;
        made.history.lives[0].second.to = forever;
        made.history.normal_ends.clear();
        made.sandbox().life.to = at(99);
        made.sandbox().held = {{at(1), at(98)}};
        made.sandbox().removals.clear();
        made.remove(made.sandbox(), 98);
        made.row().span.to = forever;
        made.release().span = {at(98), at(99.5)};
        SandboxLife& late = made.add_sandbox(20, gone);
        late.is_late = true;
        made.add_row(2, 10, gone + 1);
        made.remove(late, gone - 0.1);
        const bool is_in_time = gone < 20 + 45;
        EXPECT_EQ(made.broken().count("one_per_lease"), is_in_time ? 0U : 1U) << gone;
    }
}

TEST(InvariantOnePerLease, AnotherOwnersSandboxOfTheKeyIsAnotherLease) {
    MadeHistory made;
    SandboxLife& life = second_sandbox(made, 20, 30);
    life.process = MadeHistory::other;
    life.removals[0].process = MadeHistory::other;
    made.history.rows.back().process = MadeHistory::other;
    EXPECT_THAT(made.broken(), IsEmpty());
}

// --- owner_teardown

TEST(InvariantOwnerTeardown, BreaksWhereAnOwnerEndsBeforeItsTeardownDeadline) {
    MadeHistory made;
    made.sandbox().life.to = at(60);
    made.sandbox().removal_accepted = at(59.9);
    made.row().span.to = at(61);
    EXPECT_THAT(made.broken(), ElementsAre("owner_teardown"));
    made.has_ledger = false;
    EXPECT_THAT(made.broken(), IsEmpty()) << "not judged without a ledger";
}

TEST(InvariantOwnerTeardown, AnOwnerThatTriedUntilItsDeadlineMayLeaveIt) {
    MadeHistory made;
    made.history.lives[0].second.to = at(102);
    made.history.normal_ends[0].second = at(102);
    made.history.end = at(300);
    made.sandbox().life.to = at(150);
    made.sandbox().removal_accepted = at(149);
    made.release().span.to = at(101.5);
    made.row().span.to = at(151);
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantOwnerTeardown, AnOwnerThatDiedMayLeaveIt) {
    MadeHistory made;
    made.history.normal_ends.clear();
    made.history.lives[0].second.to = at(41.2);
    made.sandbox().life.to = at(60);
    made.sandbox().removal_accepted = at(59.9);
    made.row().span.to = at(61);
    EXPECT_THAT(made.broken(), IsEmpty());
}

/// Its maker died at 0.3 s; its next incarnation recovers from 1 s on, while the create lands at
/// 30 s, and ends at `end` without having got rid of it.
void land_during_recovery(MadeHistory& made, double end) {
    made.history.calls.clear();
    made.history.steps.clear();
    made.history.lives = {{MadeHistory::runner, {at(0), at(0.3)}},
                          {MadeHistory::runner, {at(1), at(end)}},
                          {MadeHistory::runner, {at(end), at(95)}}};
    made.history.normal_ends = {{MadeHistory::runner, at(end)}};
    made.sandbox().held.clear();
    made.sandbox().removals.clear();
    made.sandbox().life = {at(30), at(90)};
    made.row().span = {at(0.1), at(91)};
    made.remove(made.sandbox(), 32);
    made.sandbox().removal_accepted = at(89);
}

TEST(InvariantOwnerTeardown, ARecoverysDeadlineCountsFromItsStart) {
    MadeHistory done;
    land_during_recovery(done, 61.5);
    EXPECT_THAT(done.broken(), IsEmpty());
    MadeHistory early;
    land_during_recovery(early, 50);
    EXPECT_THAT(early.broken(), ElementsAre("owner_teardown"));
}

TEST(InvariantOwnerTeardown, BreaksWhereALivingOwnerForgetsIt) {
    MadeHistory made;
    made.sandbox().held = {{at(1), at(20)}};
    EXPECT_THAT(made.broken(), ElementsAre("owner_teardown"));
}

TEST(InvariantOwnerTeardown, BreaksWhereACallGivesUpEarly) {
    MadeHistory made;
    made.history.normal_ends.clear();
    made.history.lives[0].second.to = at(42);
    made.sandbox().life.to = at(60);
    made.sandbox().removal_accepted = at(59.9);
    made.row().span.to = at(61);
    scenarios::Call& call = made.add_call(CallKind::acquire, 41.1, 42);
    call.error = ErrorKind::teardown;
    EXPECT_THAT(made.broken(), ElementsAre("owner_teardown"));
}

// --- no_wrong_kill

TEST(InvariantNoWrongKill, BreaksWhereAnotherOwnerRemovesIt) {
    MadeHistory made;
    made.sandbox().removals.push_back({{at(41), at(41.05)}, MadeHistory::other});
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
}

TEST(InvariantNoWrongKill, BreaksWhereItIsRemovedWhileHeld) {
    MadeHistory made;
    made.sandbox().removals.push_back({{at(20), at(20.1)}, MadeHistory::runner});
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
}

TEST(InvariantNoWrongKill, BreaksWhereItIsRemovedBeforeItIsHandedOut) {
    MadeHistory made;
    made.sandbox().removals.push_back({{at(0.9), at(0.95)}, MadeHistory::runner});
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
}

TEST(InvariantNoWrongKill, BreaksWhereItIsRemovedByNameWhileHeld) {
    MadeHistory made;
    made.has_ledger = false;
    SandboxLife& life = made.sandbox();
    life.removals.clear();
    life.removal_accepted = at(20);
    life.is_removal_asked = true;
    EXPECT_THAT(made.broken(), ElementsAre("no_wrong_kill"));
    life.is_removal_asked = false;  // the server's own doing
    EXPECT_THAT(made.broken(), IsEmpty());
}

// --- no_use_after_release

TEST(InvariantNoUseAfterRelease, BreaksWhereSomethingElseThanRemovalIsSent) {
    MadeHistory made;
    made.add_step(Operation::container_start, 41.02, 41.05, 1);
    EXPECT_THAT(made.broken(), ElementsAre("no_use_after_release"));
}

TEST(InvariantNoUseAfterRelease, RemovalAndItsConfirmationAreFine) {
    MadeHistory made;
    made.add_step(Operation::container_inspect, 41.02, 41.05, 1);
    made.add_step(Operation::container_remove, 41.06, 41.08, 1);
    made.add_step(Operation::container_start, 30, 30.1, 1);
    EXPECT_THAT(made.broken(), IsEmpty());
}

// --- stable_key

/// An acquire that fails once, and the second attempt's sandbox.
SandboxLife& second_attempt(MadeHistory& made) {
    SandboxLife& first = made.sandbox();
    first.life.to = at(0.7);
    first.held.clear();
    first.removals.clear();
    made.remove(first, 0.65);
    SandboxLife& life = made.add_sandbox(0.8, 41.1);
    made.add_row(2, 0.75, 42);
    life.held.push_back({at(1), at(41)});
    made.remove(life, 41);
    return life;
}

TEST(InvariantStableKey, BreaksWhereAttemptsOfOneAcquireShowTwo) {
    MadeHistory made;
    SandboxLife& life = second_attempt(made);
    EXPECT_THAT(made.broken(), IsEmpty());
    made.truth_of(life).key = "runner/k/2";
    EXPECT_THAT(made.broken(), ElementsAre("stable_key"));
}

TEST(InvariantStableKey, WhatACancelledAcquireLeftBehindHasAKeyOfItsOwn) {
    MadeHistory made;
    made.has_ledger = false;
    SandboxLife& life = second_attempt(made);
    made.truth_of(life).key = "runner/k/2";
    for (scenarios::Call& call : made.history.calls) {
        if (call.kind == CallKind::acquire) call.span.from = at(0.75);
    }
    EXPECT_THAT(made.broken(), IsEmpty());
}

TEST(InvariantStableKey, AnotherAcquireShowsAnotherKey) {
    MadeHistory made;
    made.add_call(CallKind::acquire, 43, 44.5);
    made.add_call(CallKind::release, 48.9, 49.5);
    SandboxLife& life = second_sandbox(made, 44, 49);
    life.held = {{at(44.5), at(48.9)}};
    made.truth_of(life).key = "runner/k/2";
    EXPECT_THAT(made.broken(), IsEmpty());
}

}  // namespace
}  // namespace drydock::test
