#include "support/manager_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<ErrorKind> kinds_of_causes(const Error& error) {
    std::vector<ErrorKind> kinds;
    for (const Error& cause : error.causes())
        kinds.push_back(cause.kind());
    return kinds;
}

std::vector<std::uint32_t> attempts_of(ManagerBed& bed) {
    std::vector<std::uint32_t> attempts;
    for (const sim::SandboxTruth& each : bed.sandboxes())
        attempts.push_back(each.attempt);
    return attempts;
}

TEST(ManagerAcquire, AndReleaseLeaveNothing) {
    for (const char* backend : {"docker", "daytona"}) {
        ManagerBed bed({.backend = backend});
        Result<Lease> lease = bed.acquire("k");
        ASSERT_TRUE(lease) << lease.error().describe();
        EXPECT_TRUE(lease->holds());
        EXPECT_EQ(lease->sandbox().state, SandboxState::running);
        EXPECT_EQ(bed.living(), 1U);
        EXPECT_EQ(bed.open_rows().size(), 1U);
        EXPECT_TRUE(bed.run(lease->release()));
        EXPECT_FALSE(lease->holds());
        EXPECT_EQ(bed.living(), 0U);
        EXPECT_THAT(bed.open_rows(), IsEmpty());
        EXPECT_TRUE(bed.run(bed.manager().close()));
        EXPECT_THAT(bed.destroy_manager(), IsEmpty());
    }
}

TEST(ManagerAcquire, TheSandboxShowsWhoseItIs) {
    ManagerBed bed;
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    const SandboxInfo& sandbox = lease->sandbox();
    EXPECT_EQ(sandbox.label(label::owner), "runner");
    EXPECT_EQ(sandbox.label(label::lease), "k");
    EXPECT_EQ(sandbox.label(label::attempt), "1");
    EXPECT_EQ(sandbox.label(label::key), "runner/k/1");
    EXPECT_EQ(sandbox.id, bed.sandboxes()[0].id);
}

TEST(ManagerAcquire, TheIntentIsOnRecordBeforeTheCreateIsSent) {
    ManagerBed bed;
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_create) == 1; }));
    const auto rows = bed.open_rows();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].state, LedgerRecord::State::intent);
    EXPECT_FALSE(rows[0].name.empty());
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerAcquire, WithoutItsIntentNothingIsSent) {
    ManagerBed bed({.plan = {{"runner[k]/ledger_put#1/fate", "write_refused"}}});
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::ledger);
    EXPECT_EQ(bed.count(Operation::container_create), 0U);
    EXPECT_THAT(bed.sandboxes(), IsEmpty());
}

TEST(ManagerAcquire, ATransientFailureIsTornDownAndTriedAgain) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(503)"}}});
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    EXPECT_THAT(attempts_of(bed), ElementsAre(1U, 2U));
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_NE(bed.sandboxes()[0].name, bed.sandboxes()[1].name);
    EXPECT_EQ(bed.sandboxes()[0].key, bed.sandboxes()[1].key) << "one acquisition, one key";
    EXPECT_EQ(bed.count(Operation::backoff), 1U);
}

TEST(ManagerAcquire, APermanentFailureEndsAfterOneAttempt) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(400)"}}});
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::invalid);
    EXPECT_EQ(lease.error().obligation(), Obligation::none);
    EXPECT_THAT(attempts_of(bed), ElementsAre(1U));
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerAcquire, TheLastAttemptsErrorIsPrimaryAndEarlierOnesAreItsCauses) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(503)"},
                             {"runner[k]/container_start#2/fate", "status_before(400)"}}});
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::invalid);
    EXPECT_THAT(kinds_of_causes(lease.error()), ElementsAre(ErrorKind::unavailable));
}

TEST(ManagerAcquire, DelaysAreThePolicys) {
    ManagerBed bed({.plan = {{"runner[k]/container_create#1/fate", "refused", true}}});
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::connect);
    EXPECT_GE(bed.now(), Time{6s}) << "2 s and 4 s";
    EXPECT_LT(bed.now(), Time{7s});
    EXPECT_EQ(bed.count(Operation::container_create), 3U);
    EXPECT_THAT(bed.sandboxes(), IsEmpty());
    EXPECT_THAT(bed.open_rows(), IsEmpty());
}

TEST(ManagerAcquire, AnAmbiguousCreateIsRepeatedUnderItsNameAndAdopted) {
    for (const char* fate : {"reset_after", "reply_lost", "truncated"}) {
        ManagerBed bed({.plan = {{"runner[k]/container_create#1/fate", fate}}});
        const Result<Lease> lease = bed.acquire("k");
        ASSERT_TRUE(lease) << fate;
        EXPECT_EQ(bed.sandboxes().size(), 1U) << fate;
        EXPECT_EQ(lease->sandbox().id, bed.sandboxes()[0].id);
    }
}

TEST(ManagerAcquire, FailsClosedWhereTheTeardownFails) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(500)", true},
                             {"runner[k]/container_remove#1/fate", "status_before(500)", true}}});
    const Result<Lease> first = bed.acquire("k");
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().kind(), ErrorKind::unavailable);
    EXPECT_EQ(first.error().obligation(), Obligation::remains);
    EXPECT_THAT(kinds_of_causes(first.error()), ElementsAre(ErrorKind::teardown));
    EXPECT_EQ(bed.sandboxes().size(), 1U) << "one attempt, though the policy allows three";

    const Result<Lease> second = bed.acquire("k");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind(), ErrorKind::teardown);
    EXPECT_EQ(second.error().obligation(), Obligation::remains);
    EXPECT_EQ(bed.sandboxes().size(), 1U) << "nothing more was created";
}

TEST(ManagerAcquire, AfterAFailClosedALaterOneTearsDownFirst) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(500)", true},
                             {"runner[k]/container_remove#1/fate", "status_before(500)", true}}});
    ASSERT_FALSE(bed.acquire("k"));
    bed.simulation().stop_faults();
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease) << lease.error().describe();
    EXPECT_THAT(attempts_of(bed), ElementsAre(1U, 2U));
    const auto sandboxes = bed.sandboxes();
    EXPECT_TRUE(sandboxes[0].is_gone);
    EXPECT_LE(sandboxes[0].gone, sandboxes[1].born);
    EXPECT_EQ(lease->sandbox().label(label::attempt), "2");
}

TEST(ManagerAcquire, AnotherKeyIsNotBlockedByAFailClosedOne) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(500)", true},
                             {"runner[k]/container_remove#1/fate", "status_before(500)", true}}});
    ASSERT_FALSE(bed.acquire("k"));
    EXPECT_TRUE(bed.acquire("other"));
}

TEST(ManagerAcquire, AttemptNumbersAreNotReusedOverAcquisitions) {
    ManagerBed bed;
    for (std::uint32_t i = 1; i <= 3; ++i) {
        Result<Lease> lease = bed.acquire("k");
        ASSERT_TRUE(lease);
        EXPECT_EQ(lease->sandbox().label(label::attempt), std::to_string(i));
        EXPECT_EQ(lease->sandbox().label(label::key), "runner/k/" + std::to_string(i));
        ASSERT_TRUE(bed.run(lease->release()));
    }
}

TEST(ManagerAcquire, ADeadlineOfTheCallersHoldsTeardownIncluded) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "request_lost", true}}});
    LeaseRequest request = request_for("k");
    request.deadline = 75s;
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::deadline);
    EXPECT_GE(bed.now(), Time{15s}) << "the teardown's minute is carved out first";
    EXPECT_LE(bed.now(), Time{75s});
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerAcquire, ThePolicysDeadlineHoldsWhereTheCallerHasNone) {
    Policy policy;
    policy.deadline = 100s;
    ManagerBed bed(
        {.plan = {{"runner[k]/container_create#1/fate", "request_lost", true}}, .policy = policy});
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::deadline);
    EXPECT_LE(bed.now(), Time{100s});
}

TEST(ManagerAcquire, ADeadlineThatOnlyCoversTheTeardownIsRefused) {
    ManagerBed bed;
    LeaseRequest request = request_for("k");
    request.deadline = 60s;
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::invalid);
    EXPECT_EQ(bed.count(Operation::ledger_put), 0U);
}

TEST(ManagerAcquire, AKeyThatCannotBeWrittenIsRefused) {
    ManagerBed bed;
    for (const std::string key : {"", "k\xff"}) {
        const Result<Lease> lease = bed.acquire(key);
        ASSERT_FALSE(lease);
        EXPECT_EQ(lease.error().kind(), ErrorKind::invalid);
    }
    EXPECT_EQ(bed.count(Operation::ledger_put), 0U);
}

// A create under way is waited for, its teardown only as long as the deadline lasts.
TEST(ManagerAcquire, ReturnsAtItsDeadlineAndLeavesTheTeardownToTheNursery) {
    ManagerBed bed({.plan = {{"runner[k]/container_create#1/fate", "request_lost"},
                             {"runner[k]/container_list#1/fate", "reply_lost", true}}});
    LeaseRequest request = request_for("k");
    request.deadline = 70s;
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::deadline);
    EXPECT_EQ(lease.error().obligation(), Obligation::remains);
    EXPECT_EQ(bed.now(), Time{70s});
}

TEST(ManagerAcquire, ASandboxThatEndsBeforeItIsReadyIsAProvisioningFailure) {
    Policy policy;
    policy.attempts = 1;
    ManagerBed bed(
        {.plan = {{"runner[k]/container_start#1/engine", "exit_early"}}, .policy = policy});
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::provisioning);
    EXPECT_EQ(bed.living(), 0U);
}

}  // namespace
}  // namespace drydock::test
