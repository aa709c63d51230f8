#include "support/manager_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

/// A sandbox of the key `k` that a process left when it died.
std::string left_by_a_crash(ManagerBed& bed) {
    std::string id;
    {
        const Result<Lease> lease = bed.acquire("k");
        id = lease->sandbox().id;
        bed.crash();
    }
    bed.restart();
    return id;
}

TEST(ManagerAttach, SharesTheLiveSandboxByKeyAndById) {
    ManagerBed bed;
    Result<Lease> first = bed.acquire("k");
    ASSERT_TRUE(first);
    for (const std::string& name : {std::string("k"), first->sandbox().id}) {
        Result<Lease> attached = bed.run(bed.manager().attach(name));
        ASSERT_TRUE(attached) << name;
        EXPECT_EQ(attached->sandbox().id, first->sandbox().id);
        EXPECT_TRUE(bed.run(attached->release()));
        EXPECT_EQ(bed.living(), 1U);
    }
    EXPECT_TRUE(bed.run(first->release()));
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerAttach, ToWhatIsNotKnownIsNotFound) {
    ManagerBed bed;
    Result<Lease> lease = bed.acquire("k");
    for (const char* unknown : {"other", "", "0123456789abcdef"}) {
        const Result<Lease> attached = bed.run(bed.manager().attach(unknown));
        ASSERT_FALSE(attached) << unknown;
        EXPECT_EQ(attached.error().kind(), ErrorKind::not_found);
    }
    ASSERT_TRUE(bed.run(lease->release()));
    const Result<Lease> gone = bed.run(bed.manager().attach("k"));
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().kind(), ErrorKind::not_found);
}

TEST(ManagerAttach, FindsWhatAnEarlierProcessLeftByKey) {
    ManagerBed bed;
    const std::string id = left_by_a_crash(bed);
    Result<Lease> attached = bed.run(bed.manager().attach("k"));
    ASSERT_TRUE(attached);
    EXPECT_EQ(attached->sandbox().id, id);
    EXPECT_TRUE(bed.run(attached->release()));
    EXPECT_EQ(bed.living(), 0U);
    EXPECT_THAT(bed.open_rows(), IsEmpty());
}

TEST(ManagerAttach, FindsWhatAnEarlierProcessLeftById) {
    ManagerBed bed;
    const std::string id = left_by_a_crash(bed);
    const Result<Lease> attached = bed.run(bed.manager().attach(id));
    ASSERT_TRUE(attached);
    EXPECT_TRUE(bed.run(bed.manager().recover())) << "what is held again is no obligation to meet";
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_TRUE(attached->holds());
    const Result<Lease> joined = bed.acquire("k");
    ASSERT_TRUE(joined);
    EXPECT_EQ(joined->sandbox().id, id);
}

TEST(ManagerAttach, ToOneThatDoesNotRunIsAProvisioningFailure) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/fate", "request_lost"}}});
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_start) == 1; }));
    bed.crash();
    bed.restart();
    const Result<Lease> attached = bed.run(bed.manager().attach("k"));
    ASSERT_FALSE(attached);
    EXPECT_EQ(attached.error().kind(), ErrorKind::provisioning);
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerAttach, ToOneUnderTeardownIsNotFound) {
    ManagerBed bed;
    Result<Lease> lease = bed.acquire("k");
    const auto release = bed.begin(lease->release());
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_remove) == 1; }));
    const Result<Lease> attached = bed.run(bed.manager().attach("k"));
    ASSERT_FALSE(attached);
    EXPECT_EQ(attached.error().kind(), ErrorKind::not_found);
}

TEST(ManagerAttach, TwoAtATimeShareWhatWasLeft) {
    ManagerBed bed;
    left_by_a_crash(bed);
    const auto first = bed.begin(bed.manager().attach("k"));
    const auto second = bed.begin(bed.manager().attach("k"));
    ASSERT_TRUE(bed.run_until([&] { return first->has_ended() && second->has_ended(); }));
    EXPECT_TRUE(first->succeeded());
    ASSERT_TRUE(second->succeeded()) << second->error().describe();
    EXPECT_TRUE(bed.run(first->value().release()));
    EXPECT_EQ(bed.living(), 1U);
}

TEST(ManagerAttach, ThatReadsWhileTheManagerClosesHandsNothingOut) {
    ManagerBed bed;
    left_by_a_crash(bed);
    const auto attach = bed.begin(bed.manager().attach("k"));
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_inspect) >= 2; }));
    const auto close = bed.begin(bed.manager().close());
    bed.pass(5min);
    ASSERT_TRUE(attach->has_ended() && close->has_ended());
    EXPECT_FALSE(attach->succeeded()) << "a closed manager holds nothing";
}

TEST(ManagerAttach, ACancelledOneReturnsCancelledAndHoldsNothing) {
    ManagerBed bed;
    left_by_a_crash(bed);
    const std::size_t before = bed.count(Operation::container_inspect);
    const auto attach = bed.begin(bed.manager().attach("k"));
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::container_inspect) > before; }));
    bed.cancel(attach);
    bed.pass(1min);
    ASSERT_TRUE(attach->has_ended());
    ASSERT_FALSE(attach->succeeded());
    EXPECT_EQ(attach->kind(), ErrorKind::cancelled);
    EXPECT_EQ(attach->record, asio::cancellation_type::terminal);
    EXPECT_EQ(bed.open_rows().size(), 1U) << "it stays on record";
}

TEST(ManagerAttach, ToALiveOneThatHasStoppedIsAProvisioningFailure) {
    ManagerBed bed({.plan = {{"runner[k]/container_start#1/engine", "oom"}}});
    Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    bed.pass(30s);
    const Result<Lease> attached = bed.run(bed.manager().attach("k"));
    ASSERT_FALSE(attached);
    EXPECT_EQ(attached.error().kind(), ErrorKind::provisioning);
    EXPECT_TRUE(lease->holds()) << "the other holder keeps it";
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_TRUE(bed.run(lease->release()));
    EXPECT_EQ(bed.living(), 0U);
}

TEST(ManagerAttach, ACancelDuringBackOffIsPrimary) {
    ManagerBed bed({.plan = {{"runner[k]/container_inspect#2/fate", "status_before(503)", true}}});
    {
        const Result<Lease> lease = bed.acquire("k");
        ASSERT_TRUE(lease);
        bed.crash();
    }
    bed.restart();
    const auto call = bed.begin(bed.manager().attach("k"));
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::backoff) >= 1; }));
    bed.cancel(call);
    ASSERT_TRUE(bed.run_until([&] { return call->has_ended(); }));
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
}

}  // namespace
}  // namespace drydock::test
