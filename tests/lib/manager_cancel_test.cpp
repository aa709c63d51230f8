#include "support/manager_bed.hpp"

#include <drydock/sim/sleep.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/system/system_error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
constexpr auto terminal = asio::cancellation_type::terminal;

/// Until the program has begun that operation so often.
bool run_until_begun(ManagerBed& bed, Operation operation, std::size_t times = 1) {
    return bed.run_until([&bed, operation, times] { return bed.count(operation) >= times; });
}

TEST(ManagerCancel, OfTheOnlyWaiterTearsDownAndReturnsCancelled) {
    ManagerBed bed;
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(run_until_begun(bed, Operation::container_start));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(call->record, terminal) << "the caller's own record survives";
    EXPECT_EQ(bed.sandboxes().size(), 1U);
    EXPECT_EQ(bed.living(), 0U) << "it returned after the teardown, not before";
    EXPECT_THAT(bed.open_rows(), IsEmpty());
}

TEST(ManagerCancel, OfOneWaiterDetachesOnlyThatOne) {
    ManagerBed bed;
    const auto first = bed.begin_acquire("k");
    const auto second = bed.begin_acquire("k");
    ASSERT_TRUE(run_until_begun(bed, Operation::container_create));
    bed.cancel(first);
    ASSERT_TRUE(bed.run_until([&] { return first->has_ended(); }));
    EXPECT_FALSE(second->has_ended()) << "it left at once";
    ASSERT_TRUE(bed.run_until([&] { return second->has_ended(); }));
    EXPECT_EQ(first->kind(), ErrorKind::cancelled);
    EXPECT_TRUE(second->succeeded());
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_TRUE(bed.run(second->value().release()));
    EXPECT_EQ(bed.living(), 0U) << "the one who left has no hold";
}

TEST(ManagerCancel, OfBothWaitersEndsTheFlight) {
    ManagerBed bed;
    const auto first = bed.begin_acquire("k");
    const auto second = bed.begin_acquire("k");
    ASSERT_TRUE(run_until_begun(bed, Operation::container_start));
    bed.cancel(first);
    bed.cancel(second);
    ASSERT_TRUE(bed.run_until([&] { return first->has_ended() && second->has_ended(); }));
    EXPECT_EQ(first->kind(), ErrorKind::cancelled);
    EXPECT_EQ(second->kind(), ErrorKind::cancelled);
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerCancel, TenTimesNeitherStopsNorDetachesTheTeardown) {
    ManagerBed bed({.plan = {{"runner[k]/container_remove#1/fate", "status_before(500)"}}});
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(run_until_begun(bed, Operation::container_start));
    for (int i = 0; i < 10; ++i) {
        bed.cancel(call);
        bed.pass(1ms);
    }
    EXPECT_FALSE(call->has_ended());
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerCancel, MeetsACompletedCreateAndDisposesOfIt) {
    ManagerBed bed;
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return bed.sandboxes().size() == 1; }));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(bed.count(Operation::container_start), 0U);
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerCancel, BeforeAnythingWasSentSendsNothing) {
    ManagerBed bed;
    const auto call = bed.begin_acquire("k");
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_EQ(bed.count(Operation::container_create), 0U);
    EXPECT_THAT(bed.open_rows(), IsEmpty());
}

TEST(ManagerCancel, DuringBackOffIsPrimaryAndTheFailureBeforeIsItsCause) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(503)"}}});
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(run_until_begun(bed, Operation::backoff));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    ASSERT_EQ(call->error().causes().size(), 1U);
    EXPECT_EQ(call->error().causes()[0].kind(), ErrorKind::unavailable);
}

TEST(ManagerCancel, AfterAFailureInTheAttemptOnlyStopsFurtherOnes) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(503)"}}});
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(run_until_begun(bed, Operation::container_remove));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::unavailable);
    EXPECT_EQ(bed.sandboxes().size(), 1U);
}

TEST(ManagerCancel, OfAReleaseStopsNothing) {
    ManagerBed bed({.plan = {{"runner[k]/container_remove#1/fate", "status_before(500)"}}});
    Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    const auto release = bed.begin(lease->release());
    ASSERT_TRUE(run_until_begun(bed, Operation::container_remove));
    for (int i = 0; i < 3; ++i) {
        bed.cancel(release);
        bed.pass(1ms);
    }
    EXPECT_FALSE(release->has_ended());
    ASSERT_TRUE(bed.run_until([&] { return release->has_ended(); }));
    EXPECT_TRUE(release->succeeded());
    EXPECT_EQ(release->record, terminal);
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerCancel, OfACleanupOrACloseStopsNeither) {
    for (const bool is_close : {false, true}) {
        ManagerBed bed;
        const Result<Lease> lease = bed.acquire("k");
        const auto call = bed.begin(is_close ? bed.manager().close() : bed.manager().cleanup("k"));
        ASSERT_TRUE(run_until_begun(bed, Operation::container_remove));
        bed.cancel(call);
        ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
        EXPECT_TRUE(call->succeeded());
        EXPECT_EQ(call->record, terminal);
        EXPECT_EQ(bed.living(), 0U);
    }
}

TEST(ManagerCancel, OfOneWhoJoinsATeardownLeavesTheTeardownAlone) {
    ManagerBed bed({.plan = {{"runner[k]/container_remove#1/fate", "status_before(500)"}}});
    Result<Lease> lease = bed.acquire("k");
    const auto release = bed.begin(lease->release());
    ASSERT_TRUE(run_until_begun(bed, Operation::container_remove));
    const auto acquire = bed.begin_acquire("k");
    bed.pass(1ms);
    bed.cancel(acquire);
    ASSERT_TRUE(bed.run_until([&] { return acquire->has_ended(); }));
    EXPECT_EQ(acquire->kind(), ErrorKind::cancelled);
    EXPECT_FALSE(release->has_ended());
    ASSERT_TRUE(bed.run_until([&] { return release->has_ended(); }));
    EXPECT_TRUE(release->succeeded());
    EXPECT_EQ(bed.sandboxes().size(), 1U);
}

/// How a caller that did not ask for values sees its cancellation after a public call returned.
struct Aftermath {
    bool returned = false;
    bool next_await_threw = false;
};

awaitable<void> acquire_then_sleep(ManagerBed& bed, Aftermath& seen) {
    const Result<Lease> lease = co_await bed.manager().acquire(request_for("k"));
    seen.returned = !lease && lease.error().kind() == ErrorKind::cancelled;
    try {
        const sim::Executor executor = bed.process().get_executor();
        co_await sim::async_sleep(executor, 1s, Interrupt::allowed, asio::use_awaitable);
    } catch (const boost::system::system_error& error) {
        seen.next_await_threw = error.code() == asio::error::operation_aborted;
    }
}

TEST(ManagerCancel, TheCallersNextAwaitThrowsAsItWouldHave) {
    ManagerBed bed;
    Aftermath seen;
    asio::cancellation_signal signal;
    asio::co_spawn(bed.process().get_executor(), acquire_then_sleep(bed, seen),
                   asio::bind_cancellation_slot(signal.slot(), [](const std::exception_ptr&) {}));
    ASSERT_TRUE(run_until_begun(bed, Operation::container_start));
    bed.simulation().world().call_after(bed.process(), 0s, [&] { signal.emit(terminal); });
    bed.pass(5min);
    EXPECT_TRUE(seen.returned);
    EXPECT_TRUE(seen.next_await_threw);
}

// S1: the hold leaves the handle only when release runs. A caller that was cancelled before throws
// at its co_await, and its handle still holds.
struct CancelledRelease {
    bool threw = false;
    bool still_holds = false;
};

awaitable<void> release_after_cancel(ManagerBed& bed, Lease& lease, CancelledRelease& seen) {
    co_await asio::this_coro::throw_if_cancelled(false);
    const sim::Executor executor = bed.process().get_executor();
    co_await sim::async_sleep(executor, 1h, Interrupt::allowed, asio::deferred);
    co_await asio::this_coro::throw_if_cancelled(true);
    try {
        Result<void> released = co_await lease.release();
        static_cast<void>(released);
    } catch (const boost::system::system_error&) {
        seen.threw = true;
    }
    seen.still_holds = lease.holds();
}

TEST(ManagerCancel, AReleaseByACallerThatWasCancelledBeforeKeepsTheHold) {
    ManagerBed bed;
    Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    CancelledRelease seen;
    asio::cancellation_signal signal;
    asio::co_spawn(bed.process().get_executor(), release_after_cancel(bed, *lease, seen),
                   asio::bind_cancellation_slot(signal.slot(), [](const std::exception_ptr&) {}));
    bed.pass(1s);
    bed.simulation().world().call_after(bed.process(), 0s, [&] { signal.emit(terminal); });
    bed.pass(1min);
    EXPECT_TRUE(seen.threw);
    EXPECT_TRUE(seen.still_holds);
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_TRUE(bed.run(lease->release()));
    EXPECT_EQ(bed.living(), 0U);
}

}  // namespace
}  // namespace drydock::test
