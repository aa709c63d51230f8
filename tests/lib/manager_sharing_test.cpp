#include "support/manager_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

/// Two handles on the key `k`, from one flight.
struct TwoHandles {
    explicit TwoHandles(ManagerBed& bed)
        : first(bed.begin_acquire("k")), second(bed.begin_acquire("k")) {
        bed.run_until([&] { return first->has_ended() && second->has_ended(); });
    }
    PendingPtr<Lease> first;
    PendingPtr<Lease> second;
};

TEST(ManagerSharing, CallsForOneKeyShareOneFlight) {
    ManagerBed bed;
    TwoHandles handles(bed);
    ASSERT_TRUE(handles.first->succeeded() && handles.second->succeeded());
    EXPECT_EQ(bed.count(Operation::container_create), 1U);
    EXPECT_EQ(handles.first->value().sandbox().id, handles.second->value().sandbox().id);
}

TEST(ManagerSharing, TheSandboxGoesWithItsLastHandle) {
    ManagerBed bed;
    TwoHandles handles(bed);
    EXPECT_TRUE(bed.run(handles.first->value().release()));
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_EQ(bed.count(Operation::container_remove), 0U);
    EXPECT_TRUE(handles.second->value().holds());
    EXPECT_TRUE(bed.run(handles.second->value().release()));
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerSharing, ALaterAcquireJoinsTheLiveSandboxWithoutAnExchange) {
    ManagerBed bed;
    Result<Lease> first = bed.acquire("k");
    ASSERT_TRUE(first);
    const Time before = bed.now();
    Result<Lease> second = bed.acquire("k");
    ASSERT_TRUE(second);
    EXPECT_EQ(bed.now(), before);
    EXPECT_EQ(second->sandbox().id, first->sandbox().id);
    EXPECT_TRUE(bed.run(first->release()));
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_TRUE(bed.run(second->release()));
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerSharing, CleanupReleasesAllHandles) {
    ManagerBed bed;
    TwoHandles handles(bed);
    EXPECT_TRUE(bed.run(bed.manager().cleanup("k")));
    EXPECT_EQ(bed.living(), 0U);
    EXPECT_THAT(bed.open_rows(), IsEmpty());
    EXPECT_FALSE(handles.first->value().holds());
    EXPECT_FALSE(handles.second->value().holds());
}

TEST(ManagerSharing, AStaleHandleDoesNotTouchItsSuccessor) {
    ManagerBed bed;
    Result<Lease> stale = bed.acquire("k");
    ASSERT_TRUE(stale);
    ASSERT_TRUE(bed.run(bed.manager().cleanup("k")));
    const Result<Lease> fresh = bed.acquire("k");
    ASSERT_TRUE(fresh);
    EXPECT_TRUE(bed.run(stale->release()));
    {
        const Lease dropped = std::move(*stale);
    }
    bed.pass(1h);
    EXPECT_TRUE(fresh->holds());
    EXPECT_EQ(bed.living(), 1U);
}

TEST(ManagerSharing, ASecondReleaseIsANoOp) {
    ManagerBed bed;
    TwoHandles handles(bed);
    EXPECT_TRUE(bed.run(handles.first->value().release()));
    EXPECT_TRUE(bed.run(handles.first->value().release()));
    bed.pass(1h);
    EXPECT_EQ(bed.living(), 1U) << "the second release must not count for the other handle";
}

TEST(ManagerSharing, AnEmptyHandleHoldsNothing) {
    ManagerBed bed;
    Lease empty;
    EXPECT_FALSE(empty.holds());
    EXPECT_TRUE(bed.run(empty.release()));
}

TEST(ManagerSharing, ADroppedHandleIsTornDownByTheNursery) {
    ManagerBed bed;
    {
        const Result<Lease> dropped = bed.acquire("k");
        ASSERT_TRUE(dropped);
    }
    EXPECT_EQ(bed.living(), 1U) << "dropping sends nothing by itself";
    EXPECT_TRUE(bed.run(bed.manager().close()));
    EXPECT_EQ(bed.living(), 0U);
    EXPECT_THAT(bed.open_rows(), IsEmpty());
}

TEST(ManagerSharing, DroppingOneOfTwoHandlesKeepsTheSandbox) {
    ManagerBed bed;
    const Result<Lease> kept = bed.acquire("k");
    {
        const Result<Lease> dropped = bed.acquire("k");
        ASSERT_TRUE(dropped);
    }
    bed.pass(1h);
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_TRUE(kept->holds());
}

TEST(ManagerSharing, AssigningOverAHandleGivesTheOldOneBack) {
    ManagerBed bed;
    Result<Lease> one = bed.acquire("one");
    Result<Lease> two = bed.acquire("two");
    ASSERT_TRUE(one && two);
    *one = std::move(*two);
    bed.pass(1h);
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_EQ(one->sandbox().label(label::lease), "two");
    EXPECT_FALSE(two->holds());
}

TEST(ManagerSharing, AnAcquireDuringATeardownWaitsForItAndMakesAnotherSandbox) {
    ManagerBed bed;
    Result<Lease> first = bed.acquire("k");
    ASSERT_TRUE(first);
    const auto release = bed.begin(first->release());
    const auto acquire = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return acquire->has_ended(); }));
    ASSERT_TRUE(acquire->succeeded());
    EXPECT_TRUE(release->succeeded());
    const auto sandboxes = bed.sandboxes();
    ASSERT_EQ(sandboxes.size(), 2U);
    EXPECT_TRUE(sandboxes[0].is_gone);
    EXPECT_LE(sandboxes[0].gone, sandboxes[1].born);
}

TEST(ManagerSharing, AFailedFlightFailsEveryoneWithTheSameError) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(400)"}}});
    TwoHandles handles(bed);
    ASSERT_TRUE(handles.first->has_ended() && handles.second->has_ended());
    ASSERT_FALSE(handles.first->succeeded());
    ASSERT_FALSE(handles.second->succeeded());
    EXPECT_EQ(handles.first->error().describe(), handles.second->error().describe());
    EXPECT_EQ(bed.count(Operation::container_create), 1U);
}

TEST(ManagerSharing, CleanupDuringAFlightCancelsItForAllWhoWait) {
    ManagerBed bed;
    const auto first = bed.begin_acquire("k");
    const auto second = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_start) == 1; }));
    EXPECT_TRUE(bed.run(bed.manager().cleanup("k")));
    bed.pass(1s);
    ASSERT_TRUE(first->has_ended() && second->has_ended());
    EXPECT_EQ(first->kind(), ErrorKind::cancelled);
    EXPECT_EQ(second->kind(), ErrorKind::cancelled);
    EXPECT_EQ(first->record, asio::cancellation_type::none) << "nobody cancelled this caller";
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerSharing, CleanupOfAnUnknownKeyIsANoOp) {
    ManagerBed bed;
    EXPECT_TRUE(bed.run(bed.manager().cleanup("never")));
    EXPECT_EQ(bed.simulation().world().now(), Time{});
    EXPECT_EQ(bed.count(Operation::container_list), 0U);
}

TEST(ManagerSharing, KeysDoNotConcernEachOther) {
    ManagerBed bed;
    Result<Lease> one = bed.acquire("one");
    const Result<Lease> two = bed.acquire("two");
    ASSERT_TRUE(one && two);
    EXPECT_EQ(bed.living(), 2U);
    EXPECT_TRUE(bed.run(one->release()));
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_TRUE(two->holds());
}

}  // namespace
}  // namespace drydock::test
