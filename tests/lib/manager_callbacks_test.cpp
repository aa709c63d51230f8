#include "support/manager_bed.hpp"

#include <drydock/sim/sleep.hpp>

#include <boost/asio/deferred.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// The caller's own code: notes that it ran, takes its time, and ends as told.
class Journal {
public:
    explicit Journal(ManagerBed& bed) : bed_(bed) {}

    Runtime::Callback note(std::string what, Duration takes = 1s) {
        return [this, what, takes] { return work(what, takes, Result<void>()); };
    }
    Runtime::Callback fail(std::string what, ErrorKind kind) {
        return
            [this, what, kind] { return work(what, 1s, Error({.kind = kind, .message = what})); };
    }
    std::vector<std::string> lines;

private:
    awaitable<Result<void>> work(std::string what, Duration takes, Result<void> outcome) {
        lines.push_back(what);
        const sim::Executor executor = bed_.process().get_executor();
        const Wake wake =
            co_await sim::async_sleep(executor, takes, Interrupt::allowed, asio::deferred);
        if (wake != Wake::done) lines.push_back(what + " cancelled");
        co_return outcome;
    }

    ManagerBed& bed_;
};

LeaseRequest request_with(Journal& journal) {
    LeaseRequest request = request_for("k");
    request.staging =
        Staging{.prepare = journal.note("prepare"), .clean_up = journal.note("clean up")};
    request.undo.push_back(journal.note("undo 1"));
    request.undo.push_back(journal.note("undo 2"));
    return request;
}

TEST(ManagerCallbacks, StagingIsCleanedUpAndNothingUndoneAfterSuccess) {
    ManagerBed bed;
    Journal journal(bed);
    const Result<Lease> lease = bed.run(bed.manager().acquire(request_with(journal)));
    ASSERT_TRUE(lease);
    EXPECT_THAT(journal.lines, ElementsAre("prepare", "clean up"));
}

TEST(ManagerCallbacks, StagingOutlivesAllAttemptsAndUndoRunsOnceInReverse) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(503)", true}}});
    Journal journal(bed);
    const Result<Lease> lease = bed.run(bed.manager().acquire(request_with(journal)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(bed.sandboxes().size(), 3U);
    EXPECT_THAT(journal.lines, ElementsAre("prepare", "undo 2", "undo 1", "clean up"));
}

TEST(ManagerCallbacks, AFailedUndoIsAttachedAndTheRestRuns) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(400)"}}});
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.undo.push_back(journal.note("undo 1"));
    request.undo.push_back(journal.fail("undo 2", ErrorKind::conflict));
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_THAT(journal.lines, ElementsAre("undo 2", "undo 1"));
    EXPECT_EQ(lease.error().kind(), ErrorKind::invalid);
    ASSERT_EQ(lease.error().causes().size(), 1U);
    EXPECT_EQ(lease.error().causes()[0].kind(), ErrorKind::conflict);
}

TEST(ManagerCallbacks, StagingThatFailsEndsTheAcquireBeforeAnythingIsSent) {
    ManagerBed bed;
    Journal journal(bed);
    LeaseRequest request = request_with(journal);
    request.staging->prepare = journal.fail("prepare", ErrorKind::forbidden);
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::forbidden);
    EXPECT_TRUE(bed.sandboxes().empty());
    EXPECT_EQ(bed.count(Operation::ledger_put), 0U);
    EXPECT_THAT(journal.lines, testing::Contains("clean up"))
        << "what it did prepare is cleaned up";
}

TEST(ManagerCallbacks, AnAcquireWhoseStepsAllFailAtOnceEndsWithTheirError) {
    ManagerBed bed({.plan = {{"runner[k]/staging#1/fate", "fail(forbidden)", true},
                             {"runner[k]/unstaging#1/fate", "fail(forbidden)", true}}});
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.staging =
        Staging{.prepare = journal.note("prepare"), .clean_up = journal.note("clean up")};
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::forbidden);
    EXPECT_EQ(bed.count(Operation::staging), 1U);
}

TEST(ManagerCallbacks, BootstrapSeesTheSandboxThatIsHandedOut) {
    ManagerBed bed;
    std::string seen;
    LeaseRequest request = request_for("k");
    request.bootstrap = [&seen](const SandboxInfo& sandbox) -> awaitable<Result<void>> {
        seen = sandbox.id;
        co_return Result<void>();
    };
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_TRUE(lease);
    EXPECT_EQ(seen, lease->sandbox().id);
}

TEST(ManagerCallbacks, AFailedBootstrapTearsDownAndItsErrorIsPrimary) {
    ManagerBed bed;
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.bootstrap = [call = journal.fail("bootstrap", ErrorKind::protocol)](
                            const SandboxInfo&) { return call(); };
    request.bootstrap_tries = 3;
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::protocol);
    EXPECT_THAT(journal.lines, ElementsAre("bootstrap", "bootstrap", "bootstrap"));
    EXPECT_EQ(bed.sandboxes().size(), 1U) << "not transient: one attempt";
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerCallbacks, ACancelReachesTheBootstrap) {
    ManagerBed bed;
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.bootstrap = [call = journal.note("bootstrap", 1h)](const SandboxInfo&) {
        return call();
    };
    const auto call = bed.begin(bed.manager().acquire(std::move(request)));
    ASSERT_TRUE(bed.run_until([&] { return !journal.lines.empty(); }));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_THAT(journal.lines, ElementsAre("bootstrap", "bootstrap cancelled"));
    EXPECT_EQ(bed.living(), 0U);
}

// rules.md: one that does not end is abandoned and reported as `teardown`.
TEST(ManagerCallbacks, AnUndoThatNeverEndsIsAbandonedAtTheTeardownDeadline) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(400)"}}});
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.undo.push_back(journal.note("undo", 10h));
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_LT(bed.now(), Time{62s});
    EXPECT_EQ(lease.error().kind(), ErrorKind::invalid);
    ASSERT_EQ(lease.error().causes().size(), 1U);
    EXPECT_EQ(lease.error().causes()[0].kind(), ErrorKind::teardown) << lease.error().describe();
}

TEST(ManagerCallbacks, AnAbandonedBootstrapStillHasItsSandbox) {
    ManagerBed bed;
    std::string expected;
    std::string seen;
    LeaseRequest request = request_for("k");
    request.bootstrap = [&](const SandboxInfo& sandbox) -> awaitable<Result<void>> {
        expected = sandbox.id;
        co_await sim::async_sleep(bed.process().get_executor(), 5s, Interrupt::shielded,
                                  asio::deferred);
        seen = sandbox.id;
        co_return Result<void>();
    };
    const auto call = bed.begin(bed.manager().acquire(std::move(request)));
    ASSERT_TRUE(bed.run_until([&] { return !expected.empty(); }));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return !seen.empty(); }));
    EXPECT_EQ(seen, expected);
    EXPECT_TRUE(call->has_ended()) << "nobody waited for it";
}

TEST(ManagerCallbacks, OneThatThrowsIsTornDownLikeAnyFailure) {
    ManagerBed bed;
    LeaseRequest request = request_for("k");
    request.bootstrap = [](const SandboxInfo&) -> awaitable<Result<void>> {
        throw std::runtime_error("no such key");
        co_return Result<void>();
    };
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_EQ(lease.error().kind(), ErrorKind::internal);
    EXPECT_THAT(lease.error().describe(), testing::HasSubstr("no such key"));
    EXPECT_EQ(bed.living(), 0U);
    EXPECT_TRUE(bed.run(bed.manager().close()));
}

// However long a chosen delay makes it.
TEST(ManagerCallbacks, AnUndoThatIsDelayedPastTheTeardownDeadlineIsAbandonedThere) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(400)"},
                             {"runner[k]/undo#1/delay", "70s"}}});
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.undo.push_back(journal.note("undo"));
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_LT(bed.now(), Time{62s});
    ASSERT_EQ(lease.error().causes().size(), 1U);
    EXPECT_EQ(lease.error().causes()[0].kind(), ErrorKind::teardown);
}

TEST(ManagerCallbacks, TeardownUndoAndCleanUpShareOneDeadline) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "status_before(400)"},
                             {"runner[k]/container_inspect#1/fate", "reply_lost"}}});
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.staging =
        Staging{.prepare = journal.note("prepare"), .clean_up = journal.note("clean up", 20s)};
    request.undo.push_back(journal.note("undo 1", 20s));
    request.undo.push_back(journal.note("undo 2", 20s));
    const Result<Lease> lease = bed.run(bed.manager().acquire(std::move(request)));
    ASSERT_FALSE(lease);
    EXPECT_LT(bed.now(), Time{63s});
    EXPECT_THAT(journal.lines,
                UnorderedElementsAre("prepare", "undo 2", "undo 1", "undo 1 cancelled", "clean up",
                                     "clean up cancelled"));
    EXPECT_EQ(lease.error().causes().size(), 2U) << lease.error().describe();
}

TEST(ManagerCallbacks, ACancelDuringTheCleanUpTearsDownWithoutWaitingForItFirst) {
    ManagerBed bed;
    Journal journal(bed);
    LeaseRequest request = request_for("k");
    request.staging =
        Staging{.prepare = journal.note("prepare"), .clean_up = journal.note("clean up", 50s)};
    request.undo.push_back(journal.note("undo"));
    const auto call = bed.begin(bed.manager().acquire(std::move(request)));
    ASSERT_TRUE(bed.run_until([&] { return journal.lines.size() == 2; }));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return bed.living() == 0; }));
    EXPECT_LT(bed.now(), Time{5s});
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    EXPECT_THAT(journal.lines, ElementsAre("prepare", "clean up", "undo"));
}

}  // namespace
}  // namespace drydock::test
