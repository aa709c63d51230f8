#include "support/manager_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

BedOptions never_removed() {
    return {.plan = {{"runner[k]/container_remove#1/fate", "status_before(500)", true}}};
}

TEST(ManagerClose, TearsDownWhatIsHeld) {
    ManagerBed bed;
    const Result<Lease> one = bed.acquire("one");
    const Result<Lease> two = bed.acquire("two");
    ASSERT_TRUE(one && two);
    EXPECT_TRUE(bed.run(bed.manager().close()));
    EXPECT_EQ(bed.living(), 0U);
    EXPECT_THAT(bed.open_rows(), IsEmpty());
    EXPECT_FALSE(one->holds());
}

TEST(ManagerClose, EndsFlightsAndWaitsForThem) {
    ManagerBed bed;
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_start) == 1; }));
    EXPECT_TRUE(bed.run(bed.manager().close()));
    EXPECT_EQ(bed.living(), 0U);
    bed.pass(1s);
    ASSERT_TRUE(call->has_ended());
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
}

TEST(ManagerClose, WaitsForATeardownUntilItsDeadline) {
    ManagerBed bed(never_removed());
    const Result<Lease> lease = bed.acquire("k");
    const Result<void> closed = bed.run(bed.manager().close());
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().kind(), ErrorKind::teardown);
    EXPECT_EQ(closed.error().obligation(), Obligation::remains);
    EXPECT_GE(bed.now(), Time{60s});
    EXPECT_LT(bed.now(), Time{62s});
    EXPECT_THAT(bed.open_rows(), SizeIs(1)) << "the ledger keeps it";
}

TEST(ManagerClose, WithADeadlineHandsTheRestToTheLedger) {
    ManagerBed bed(never_removed());
    const Result<Lease> lease = bed.acquire("k");
    const Time before = bed.now();
    const Result<void> closed = bed.run(bed.manager().close({.deadline = 5s}));
    ASSERT_FALSE(closed);
    EXPECT_EQ(closed.error().kind(), ErrorKind::teardown);
    EXPECT_EQ(bed.now() - before, 5s);
    EXPECT_THAT(bed.open_rows(), SizeIs(1));
    EXPECT_THAT(bed.destroy_manager(), IsEmpty()) << "handed over is not unclosed";
}

TEST(ManagerClose, WithADeadlineStopsWorking) {
    ManagerBed bed(never_removed());
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_FALSE(bed.run(bed.manager().close({.deadline = 5s})));
    bed.pass(31s);  // what was in flight ends
    const std::size_t removes = bed.count(Operation::container_remove);
    bed.pass(1h);
    EXPECT_EQ(bed.count(Operation::container_remove), removes);
}

TEST(ManagerClose, IsOverAtOnceWithoutWork) {
    ManagerBed bed;
    EXPECT_TRUE(bed.run(bed.manager().close({.wait_late = true})));
    EXPECT_EQ(bed.now(), Time{});
    EXPECT_THAT(bed.destroy_manager(), IsEmpty());
}

TEST(ManagerClose, LeavesWatchesToTheLedgerUnlessToldToWait) {
    for (const bool wait_late : {false, true}) {
        Policy policy;
        policy.attempts = 1;
        ManagerBed bed(
            {.plan = {{"runner[k]/container_create#1/fate", "request_lost"}}, .policy = policy});
        ASSERT_FALSE(bed.acquire("k"));
        EXPECT_THAT(bed.open_rows(), SizeIs(1)) << "a create that was given up may still land";
        EXPECT_TRUE(bed.run(bed.manager().close({.wait_late = wait_late})));
        EXPECT_THAT(bed.open_rows(), SizeIs(wait_late ? 0 : 1));
        EXPECT_EQ(bed.now() >= Time{10min}, wait_late);
    }
}

TEST(ManagerClose, AfterItEveryCallButCloseIsInvalid) {
    ManagerBed bed;
    ASSERT_TRUE(bed.run(bed.manager().close()));
    const Result<Lease> acquired = bed.acquire("k");
    ASSERT_FALSE(acquired);
    EXPECT_EQ(acquired.error().kind(), ErrorKind::invalid);
    const Result<Lease> attached = bed.run(bed.manager().attach("k"));
    ASSERT_FALSE(attached);
    EXPECT_EQ(attached.error().kind(), ErrorKind::invalid);
    const Result<void> recovered = bed.run(bed.manager().recover());
    ASSERT_FALSE(recovered);
    EXPECT_EQ(recovered.error().kind(), ErrorKind::invalid);
    EXPECT_TRUE(bed.run(bed.manager().close()));
    EXPECT_THAT(bed.sandboxes(), IsEmpty());
}

TEST(ManagerClose, AfterItCleanupIsInvalidToo) {
    ManagerBed bed;
    ASSERT_TRUE(bed.run(bed.manager().close()));
    const Result<void> cleaned = bed.run(bed.manager().cleanup("k"));
    ASSERT_FALSE(cleaned);
    EXPECT_EQ(cleaned.error().kind(), ErrorKind::invalid);
}

TEST(ManagerClose, AnAcquireThatComesWhileItCloses) {
    ManagerBed bed(never_removed());
    const Result<Lease> lease = bed.acquire("k");
    const auto closing = bed.begin(bed.manager().close());
    bed.pass(1s);
    const Result<Lease> late = bed.acquire("other");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kind(), ErrorKind::invalid);
    EXPECT_FALSE(closing->has_ended());
}

TEST(ManagerClose, TwoAtATimeBothWait) {
    ManagerBed bed;
    const Result<Lease> lease = bed.acquire("k");
    const auto first = bed.begin(bed.manager().close());
    const auto second = bed.begin(bed.manager().close());
    ASSERT_TRUE(bed.run_until([&] { return first->has_ended() && second->has_ended(); }));
    EXPECT_TRUE(first->succeeded());
    EXPECT_TRUE(second->succeeded());
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerClose, DestroyingAManagerWithWorkUnderWayIsReported) {
    ManagerBed bed;
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_start) == 1; }));
    EXPECT_THAT(bed.destroy_manager(), SizeIs(1));
}

TEST(ManagerClose, DestroyingAManagerThatHoldsASandboxIsReported) {
    ManagerBed bed;
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    EXPECT_THAT(bed.destroy_manager(), SizeIs(1)) << "nobody will tear this sandbox down";
}

TEST(ManagerClose, DestroyingAnUnusedOrIdleManagerIsFine) {
    ManagerBed unused;
    EXPECT_THAT(unused.destroy_manager(), IsEmpty());
    ManagerBed idle;
    Result<Lease> lease = idle.acquire("k");
    ASSERT_TRUE(idle.run(lease->release()));
    EXPECT_THAT(idle.destroy_manager(), IsEmpty());
}

TEST(ManagerClose, AHandleMayOutliveItsManager) {
    ManagerBed bed;
    Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    bed.destroy_manager();
    EXPECT_TRUE(bed.run(lease->release()));
    EXPECT_FALSE(lease->holds());
}

}  // namespace
}  // namespace drydock::test
