#include "support/manager_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

/// Begins an acquire of `k` and crashes when the operation has begun for the n-th time.
void crash_during(ManagerBed& bed, Operation operation, std::size_t n = 1) {
    const auto call = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return bed.count(operation) >= n; }));
    bed.crash();
    bed.restart();
}

void crash_while_held(ManagerBed& bed) {
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    bed.crash();
    bed.restart();
}

TEST(ManagerRecovery, MeetsByIdWhatWasHeld) {
    ManagerBed bed;
    crash_while_held(bed);
    EXPECT_EQ(bed.living(), 1U);
    ASSERT_THAT(bed.open_rows(), SizeIs(1));
    EXPECT_FALSE(bed.open_rows()[0].id.empty());
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    EXPECT_EQ(bed.living(), 0U);
    EXPECT_THAT(bed.open_rows(), IsEmpty());
    EXPECT_EQ(bed.count(Operation::container_list), 0U) << "the id is known";
}

TEST(ManagerRecovery, MeetsByNameWhatWasOnlyIntended) {
    for (const char* backend : {"docker", "daytona"}) {
        ManagerBed bed({.backend = backend});
        const auto call = bed.begin_acquire("k");
        ASSERT_TRUE(bed.run_until([&] { return bed.sandboxes().size() == 1; }));
        bed.crash();
        bed.restart();
        ASSERT_THAT(bed.open_rows(), SizeIs(1));
        EXPECT_TRUE(bed.open_rows()[0].id.empty());
        EXPECT_TRUE(bed.run(bed.manager().recover()));
        EXPECT_EQ(bed.living(), 0U) << backend;
        EXPECT_THAT(bed.open_rows(), SizeIs(1)) << "the create was not answered: it may land again";
        EXPECT_TRUE(bed.run(bed.manager().close({.wait_late = true})));
        EXPECT_THAT(bed.open_rows(), IsEmpty());
    }
}

TEST(ManagerRecovery, FindsACreateThatLandsAfterTheRestart) {
    ManagerBed bed({.plan = {{"runner[k]/container_create#1/delay", "20s"}}});
    crash_during(bed, Operation::container_create);
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    EXPECT_THAT(bed.sandboxes(), IsEmpty()) << "it has not landed yet";
    const bool has_landed = bed.run_until([&] { return bed.living() == 1; });
    ASSERT_TRUE(has_landed);
    const Time born = bed.now();
    ASSERT_TRUE(bed.run_until([&] { return bed.living() == 0; }));
    EXPECT_LE(bed.now() - born, 45s) << "late_watch and a request timeout";
    EXPECT_TRUE(bed.run(bed.manager().close({.wait_late = true})));
    EXPECT_THAT(bed.open_rows(), IsEmpty());
}

TEST(ManagerRecovery, WithNothingOnRecordSendsNothing) {
    ManagerBed bed;
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    EXPECT_EQ(bed.now(), Time{});
    EXPECT_EQ(bed.count(Operation::container_list), 0U);
}

TEST(ManagerRecovery, SaysWhatItCouldNotMeet) {
    ManagerBed bed({.plan = {{"runner[k]/container_remove#1/fate", "status_before(500)", true}}});
    crash_while_held(bed);
    const Result<void> recovered = bed.run(bed.manager().recover());
    ASSERT_FALSE(recovered);
    EXPECT_EQ(recovered.error().kind(), ErrorKind::teardown);
    EXPECT_EQ(recovered.error().obligation(), Obligation::remains);
    ASSERT_THAT(bed.open_rows(), SizeIs(1));
    EXPECT_TRUE(bed.open_rows()[0].orphaned_at) << "the horizon counts from when it was found";
}

TEST(ManagerRecovery, ASecondOneGoesOnWhereTheFirstFailed) {
    ManagerBed bed({.plan = {{"runner[k]/container_remove#1/fate", "status_before(500)", true}}});
    crash_while_held(bed);
    ASSERT_FALSE(bed.run(bed.manager().recover()));
    bed.simulation().stop_faults();
    bed.crash();
    bed.restart();
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    EXPECT_EQ(bed.living(), 0U);
    EXPECT_THAT(bed.open_rows(), IsEmpty());
}

TEST(ManagerRecovery, DoesNotTouchWhatOtherOwnersHave) {
    ManagerBed bed;
    crash_while_held(bed);
    sim::BackendModel& engine = bed.simulation().backend();
    struct Ignored final : sim::Responder {
        void applied() override {}
        void trait_took_effect() override {}
        void reply(Response) override {}
        std::shared_ptr<sim::ReplyStream> stream(Response, sim::StreamClient) override {
            return nullptr;
        }
    };
    const Request create{.method = Method::post,
                         .target = "/v1.41/containers/create?name=foreign",
                         .content_type = "application/json",
                         .body = R"({"Image":"bb","Labels":{"drydock.owner":"somebody",)"
                                 R"("drydock.lease":"k","drydock.attempt":"1"}})"};
    engine.handle(create, {}, std::make_shared<Ignored>());
    ASSERT_EQ(bed.living(), 2U);
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    EXPECT_EQ(bed.living(), 1U);
    EXPECT_EQ(bed.sandboxes()[1].owner, "somebody");
    EXPECT_FALSE(bed.sandboxes()[1].is_gone);
}

TEST(ManagerRecovery, AttemptNumbersAreNotReusedOverRestarts) {
    ManagerBed bed;
    std::vector<std::string> numbers;
    for (int i = 0; i < 3; ++i) {
        {
            const Result<Lease> lease = bed.acquire("k");
            ASSERT_TRUE(lease);
            numbers.emplace_back(lease->sandbox().label(label::attempt));
            EXPECT_EQ(lease->sandbox().label(label::key), "runner/k/" + numbers.back());
            bed.crash();
        }
        bed.restart();
        ASSERT_TRUE(bed.run(bed.manager().recover()));
    }
    EXPECT_THAT(numbers, testing::ElementsAre("1", "2", "3"));
}

// A closed row is kept for its number.
TEST(ManagerRecovery, NotEvenThoseOfClosedRows) {
    ManagerBed bed;
    Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(bed.run(lease->release()));
    ASSERT_TRUE(bed.run(bed.manager().close()));
    bed.crash();
    bed.restart();
    const Result<Lease> next = bed.acquire("k");
    ASSERT_TRUE(next);
    EXPECT_EQ(next->sandbox().label(label::attempt), "2");
}

TEST(ManagerRecovery, AnAcquireOfAnUnrecoveredKeyTearsDownFirst) {
    ManagerBed bed;
    crash_while_held(bed);
    const Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    const auto sandboxes = bed.sandboxes();
    ASSERT_EQ(sandboxes.size(), 2U);
    EXPECT_TRUE(sandboxes[0].is_gone);
    EXPECT_LE(sandboxes[0].gone, sandboxes[1].born);
}

TEST(ManagerRecovery, AndAnAcquireAtOnceDoNotDisturbEachOther) {
    ManagerBed bed;
    crash_while_held(bed);
    const auto recovery = bed.begin(bed.manager().recover());
    const auto acquire = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return recovery->has_ended() && acquire->has_ended(); }));
    EXPECT_TRUE(recovery->succeeded());
    ASSERT_TRUE(acquire->succeeded());
    EXPECT_TRUE(acquire->value().holds());
    EXPECT_EQ(bed.living(), 1U);
}

TEST(ManagerRecovery, AfterACrashAtAnyStepOfAnAcquireNothingIsLeft) {
    std::size_t steps = 0;
    {
        ManagerBed bed;
        const auto call = bed.begin_acquire("k");
        const std::uint64_t before = bed.simulation().world().steps();
        bed.run_until([&] { return call->has_ended(); });
        steps = bed.simulation().world().steps() - before;
    }
    ASSERT_GT(steps, 10U);
    for (std::size_t at = 0; at <= steps; ++at) {
        ManagerBed bed;
        const auto call = bed.begin_acquire("k");
        for (std::size_t i = 0; i < at; ++i)
            bed.simulation().world().step();
        bed.crash();
        bed.restart();
        ASSERT_TRUE(bed.run(bed.manager().recover())) << at;
        ASSERT_TRUE(bed.run(bed.manager().close({.wait_late = true}))) << at;
        ASSERT_EQ(bed.living(), 0U) << at;
        ASSERT_THAT(bed.open_rows(), IsEmpty()) << at;
    }
}

}  // namespace
}  // namespace drydock::test
