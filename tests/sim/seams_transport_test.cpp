// The network between a program and its engine: what each fate does, and what the client sees.
#include "support/manager_bed.hpp"

#include <drydock/sim/backends.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using Cause = TransportFailure::Cause;

/// One exchange that creates a container, under one fate.
struct Seen {
    std::optional<Exchanged> outcome;
    Time ended{};
    std::size_t sandboxes = 0;        ///< when it ended
    std::size_t sandboxes_later = 0;  ///< an hour later
};

Request create_request() {
    Request request;
    request.method = Method::post;
    request.target = "/v1.41/containers/create?name=one";
    request.content_type = "application/json";
    request.body = R"({"Image":"bb","Labels":{"drydock.owner":"runner","drydock.lease":"k"}})";
    return request;
}

awaitable<Result<void>> exchange_once(ManagerBed& bed, sim::SimTransport& transport, Seen& seen) {
    Request request = create_request();
    const Tag tag{Operation::container_create, "k"};
    Exchanged outcome =
        co_await transport.exchange(tag, std::move(request), 30s, Interrupt::allowed);
    seen.outcome.emplace(std::move(outcome));
    seen.ended = bed.now();
    seen.sandboxes = bed.sandboxes().size();
    co_return Result<void>();
}

Seen exchange_with(std::vector<Fault> faults) {
    ManagerBed bed({.plan = std::move(faults)});
    sim::SimTransport transport(bed.simulation().programs().front());
    Seen seen;
    const auto call = bed.begin(exchange_once(bed, transport, seen));
    bed.pass(1h);
    seen.sandboxes_later = bed.sandboxes().size();
    return seen;
}

Seen exchange_under(const std::string& fate, const std::string& aspect = "fate") {
    return exchange_with({{"runner[k]/container_create#1/" + aspect, fate}});
}

TEST(SeamsTransport, ByDefaultARequestTakesItsWayThereAndBack) {
    const Seen seen = exchange_with({});
    ASSERT_TRUE(seen.outcome->has_value());
    EXPECT_EQ((*seen.outcome)->status, 201);
    EXPECT_EQ(seen.ended, Time{2ms});
}

struct Expected {
    const char* fate;
    Cause cause;
    Progress progress;
    Duration ends;
    std::size_t sandboxes;
    std::size_t sandboxes_later;
};

TEST(SeamsTransport, EachFailingFateShowsItselfAsSuch) {
    const std::vector<Expected> table{
        {"refused", Cause::connect, Progress::not_sent, 1ms, 0, 0},
        {"request_lost", Cause::timeout, Progress::sent, 30s, 0, 0},
        {"reply_lost", Cause::timeout, Progress::sent, 30s, 1, 1},
        {"reset_before", Cause::reset, Progress::sent, 1ms, 0, 0},
        {"reset_after", Cause::reset, Progress::sent, 2ms, 1, 1},
        {"cut_header", Cause::reset, Progress::reply_begun, 2ms, 1, 1},
        {"truncated", Cause::malformed, Progress::reply_begun, 2ms, 1, 1},
        {"stalled", Cause::timeout, Progress::reply_begun, 30s, 1, 1},
        {"late(after_timeout)", Cause::timeout, Progress::sent, 30s, 0, 1},
        {"late(after_retry)", Cause::timeout, Progress::sent, 30s, 0, 1},
        {"late(after_remove)", Cause::timeout, Progress::sent, 30s, 0, 1}};
    for (const Expected& expected : table) {
        const Seen seen = exchange_under(expected.fate);
        ASSERT_TRUE(seen.outcome) << expected.fate;
        ASSERT_FALSE(seen.outcome->has_value()) << expected.fate;
        EXPECT_EQ(seen.outcome->error().cause, expected.cause) << expected.fate;
        EXPECT_EQ(seen.outcome->error().progress, expected.progress) << expected.fate;
        EXPECT_EQ(seen.ended.time_since_epoch(), expected.ends) << expected.fate;
        EXPECT_EQ(seen.sandboxes, expected.sandboxes) << expected.fate;
        EXPECT_EQ(seen.sandboxes_later, expected.sandboxes_later) << expected.fate;
    }
}

TEST(SeamsTransport, AnAnsweredFateTellsItsStatus) {
    const Seen before = exchange_under("status_before(503)");
    ASSERT_TRUE(before.outcome->has_value());
    EXPECT_EQ((*before.outcome)->status, 503);
    EXPECT_EQ(before.sandboxes, 0U);
    const Seen after = exchange_under("status_after(503)");
    ASSERT_TRUE(after.outcome->has_value());
    EXPECT_EQ((*after.outcome)->status, 503);
    EXPECT_EQ(after.sandboxes, 1U);
}

TEST(SeamsTransport, ADuplicatedCreateConflictsWithItself) {
    const Seen seen = exchange_under("duplicated");
    ASSERT_TRUE(seen.outcome->has_value());
    EXPECT_EQ((*seen.outcome)->status, 201);
    EXPECT_EQ(seen.sandboxes_later, 1U) << "its name is taken";
}

TEST(SeamsTransport, ASlowReplyComesLaterAndADelayedRequestArrivesLater) {
    const Seen slow = exchange_under("slow(5s)");
    ASSERT_TRUE(slow.outcome->has_value());
    EXPECT_EQ(slow.ended, Time{5s + 2ms});
    const Seen delayed = exchange_under("5s", "delay");
    ASSERT_TRUE(delayed.outcome->has_value());
    EXPECT_EQ(delayed.ended, Time{5s + 2ms});
}

TEST(SeamsTransport, AReplySlowerThanTheLimitIsATimeout) {
    const Seen seen = exchange_under("slow(31s)");
    ASSERT_FALSE(seen.outcome->has_value());
    EXPECT_EQ(seen.outcome->error().cause, Cause::timeout);
    EXPECT_EQ(seen.sandboxes, 1U);
}

TEST(SeamsTransport, ACancelledExchangeReturnsAtOnceAndTheServerGoesOn) {
    ManagerBed bed;
    sim::SimTransport transport(bed.simulation().programs().front());
    Seen seen;
    const auto call = bed.begin(exchange_once(bed, transport, seen));
    bed.pass(100us);
    bed.cancel(call);
    bed.pass(0s);
    ASSERT_TRUE(seen.outcome);
    EXPECT_EQ(seen.outcome->error().cause, Cause::cancelled);
    EXPECT_EQ(seen.outcome->error().progress, Progress::sent);
    EXPECT_EQ(seen.ended, Time{100us});
    bed.pass(1s);
    EXPECT_EQ(bed.sandboxes().size(), 1U);
}

TEST(SeamsTransport, ALateRequestOfADeadClientStillLands) {
    ManagerBed bed({.plan = {{"runner[k]/container_create#1/fate", "late(after_timeout)"}}});
    sim::SimTransport transport(bed.simulation().programs().front());
    Seen seen;
    const auto call = bed.begin(exchange_once(bed, transport, seen));
    bed.pass(1s);
    bed.crash();
    bed.pass(1s);
    EXPECT_EQ(bed.sandboxes().size(), 1U);
    EXPECT_FALSE(seen.outcome) << "nothing of a dead program goes on";
}

}  // namespace
}  // namespace drydock::test
