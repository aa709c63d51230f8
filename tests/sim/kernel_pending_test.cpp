#include <drydock/sim/pending.hpp>
#include <drydock/sim/process.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace drydock::sim {
namespace {

using namespace std::chrono_literals;

class KernelPending : public testing::Test {
protected:
    using Text = std::string;

    void wait(Duration limit, Interrupt interrupt = Interrupt::allowed) {
        auto handler = [this](Settled<Text> how) {
            EXPECT_FALSE(settled);
            settled = std::move(how);
            at = world.now();
        };
        async_pending<Text>(
            executor, limit, interrupt, [this](Promise<Text> made) { promise = made; },
            asio::bind_cancellation_slot(signal.slot(), handler));
    }
    void fulfil_at(Duration when, const Text& text) {
        world.call_at(Time{when}, [this, text] { accepted = promise.fulfil(text); });
    }
    void cancel_at(Duration when) {
        world.call_at(Time{when}, [this] { signal.emit(asio::cancellation_type::terminal); });
    }
    void expect(Wake wake, const Text& value, Duration when) {
        world.run();
        ASSERT_TRUE(settled);
        EXPECT_EQ(settled->wake, wake);
        EXPECT_EQ(settled->value, value);
        EXPECT_EQ(at, Time{when});
        EXPECT_FALSE(promise.wanted());
        EXPECT_EQ(world.pending(process), 0U);
    }

    World world;
    Process process{world, 1, "p"};
    Executor executor = process.get_executor();
    asio::cancellation_signal signal;
    Promise<Text> promise;
    std::optional<Settled<Text>> settled;
    std::optional<bool> accepted;
    Time at{};
};

TEST_F(KernelPending, EndsWithWhatTheSupplierGives) {
    wait(1s);
    EXPECT_TRUE(promise.wanted());
    fulfil_at(2ms, "reply");
    expect(Wake::done, "reply", 2ms);
    EXPECT_EQ(accepted, true);
    EXPECT_EQ(world.now(), Time{2ms});
}

TEST_F(KernelPending, FulfilledInItsStartIsNotInline) {
    bool done = false;
    async_pending<int>(
        executor, 1s, Interrupt::allowed, [](Promise<int> made) { made.fulfil(7); },
        [&](Settled<int> how) { done = how.value == 7; });
    EXPECT_FALSE(done);
    world.run();
    EXPECT_TRUE(done);
    EXPECT_EQ(world.now(), Time{});
}

TEST_F(KernelPending, EndsAtItsLimitAndALateReplyIsANoOp) {
    wait(5ms);
    fulfil_at(9ms, "late");
    expect(Wake::timed_out, "", 5ms);
    EXPECT_EQ(accepted, false);
}

TEST_F(KernelPending, WithoutLimitWaitsForTheSupplierOnly) {
    wait(unlimited);
    world.run();
    EXPECT_FALSE(settled);
    EXPECT_EQ(world.pending(process), 1U);
    fulfil_at(48h, "at last");
    expect(Wake::done, "at last", 48h);
}

TEST_F(KernelPending, EndsAtTheInstantOfASignal) {
    wait(1s);
    cancel_at(3ms);
    fulfil_at(9ms, "late");
    expect(Wake::cancelled, "", 3ms);
    EXPECT_EQ(accepted, false);
}

TEST_F(KernelPending, ShieldedIgnoresTheSignal) {
    wait(5ms, Interrupt::shielded);
    cancel_at(3ms);
    expect(Wake::timed_out, "", 5ms);
}

TEST_F(KernelPending, TheFirstReplyWins) {
    wait(1s);
    fulfil_at(2ms, "first");
    fulfil_at(2ms, "second");
    expect(Wake::done, "first", 2ms);
    EXPECT_EQ(accepted, false);
}

// Ties at one instant: what was armed first fires first, and decides.
TEST_F(KernelPending, ReplyArmedBeforeTheLimitWinsTheTie) {
    fulfil_at(5ms, "reply");
    wait(5ms);
    expect(Wake::done, "reply", 5ms);
}

TEST_F(KernelPending, LimitArmedBeforeTheReplyWinsTheTie) {
    wait(5ms);
    fulfil_at(5ms, "reply");
    expect(Wake::timed_out, "", 5ms);
}

TEST_F(KernelPending, SignalBeforeTheReplyWinsTheTie) {
    wait(1s);
    cancel_at(5ms);
    fulfil_at(5ms, "reply");
    expect(Wake::cancelled, "", 5ms);
}

TEST_F(KernelPending, ReplyBeforeTheSignalWinsTheTie) {
    wait(1s);
    fulfil_at(5ms, "reply");
    cancel_at(5ms);
    expect(Wake::done, "reply", 5ms);
}

TEST_F(KernelPending, ReplyAndSignalInOneHandlerKeepTheReply) {
    wait(1s);
    world.call_at(Time{1ms}, [&] {
        promise.fulfil("reply");
        signal.emit(asio::cancellation_type::terminal);
    });
    expect(Wake::done, "reply", 1ms);
}

TEST_F(KernelPending, ACrashMakesThePromiseInert) {
    wait(1s);
    process.crash();
    EXPECT_FALSE(promise.wanted());
    EXPECT_FALSE(promise.fulfil("reply"));
    world.run();
    EXPECT_FALSE(settled);
}

TEST_F(KernelPending, ACrashBetweenReplyAndResumptionDropsTheReply) {
    wait(1s);
    EXPECT_TRUE(promise.fulfil("reply"));
    process.crash();
    world.run();
    EXPECT_FALSE(settled);
}

TEST_F(KernelPending, OnADeadProcessDoesNotStart) {
    process.crash();
    wait(1s);
    EXPECT_FALSE(promise.wanted());
    EXPECT_FALSE(promise.fulfil("reply"));
    world.run();
    EXPECT_FALSE(settled);
}

awaitable<void> ask(Executor executor, World& world, std::unique_ptr<int>& got) {
    auto start = [&world](Promise<std::unique_ptr<int>> reply) {
        world.call_after(1ms, [reply]() mutable { reply.fulfil(std::make_unique<int>(42)); });
    };
    auto settled = co_await async_pending<std::unique_ptr<int>>(executor, 30s, Interrupt::allowed,
                                                                start, asio::deferred);
    got = std::move(settled.value);
}

TEST_F(KernelPending, CarriesMoveOnlyValuesIntoCoroutines) {
    std::unique_ptr<int> got;
    std::exception_ptr failure;
    asio::co_spawn(executor, ask(executor, world, got), [&](std::exception_ptr e) { failure = e; });
    world.run();
    ASSERT_TRUE(got);
    EXPECT_EQ(*got, 42);
    EXPECT_FALSE(failure);
}

TEST_F(KernelPending, APromiseDoesNotFitALaterOperation) {
    wait(1ms);
    world.run();
    settled.reset();
    Promise<Text> old = promise;
    wait(1s);
    EXPECT_FALSE(old.wanted());
    EXPECT_FALSE(old.fulfil("stale"));
    EXPECT_TRUE(promise.wanted());
    EXPECT_FALSE(Promise<Text>().wanted());
    EXPECT_FALSE(Promise<Text>().fulfil("nobody"));
}

}  // namespace
}  // namespace drydock::sim
