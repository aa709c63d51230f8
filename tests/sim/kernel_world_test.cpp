#include <drydock/sim/process.hpp>
#include <drydock/sim/world.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace drydock::sim {
namespace {

using namespace std::chrono_literals;

TEST(KernelWorld, StartsAtZeroAndIsIdle) {
    World world;
    EXPECT_EQ(world.now(), Time{});
    EXPECT_TRUE(world.idle());
    EXPECT_FALSE(world.step());
    EXPECT_EQ(world.run(), 0U);
}

TEST(KernelWorld, FiresByTimeAndEqualTimesInArmingOrder) {
    World world;
    std::string log;
    world.call_after(2ms, [&] { log += 'c'; });
    world.call_after(1ms, [&] { log += 'a'; });
    world.call_after(2ms, [&] { log += 'd'; });
    world.call_after(1ms, [&] { log += 'b'; });
    EXPECT_EQ(world.run(), 4U);
    EXPECT_EQ(log, "abcd");
    EXPECT_EQ(world.now(), Time{2ms});
}

TEST(KernelWorld, DrainsReadyWorkBeforeAnyFurtherTimer) {
    World world;
    Process process(world, 1, "p");
    std::string log;
    const Executor executor = process.get_executor();
    world.call_after(1ms, [&] {
        executor.execute([&] {
            log += 'a';
            executor.execute([&] { log += 'b'; });
            world.call_after(0ms, [&] { log += 'd'; });
            executor.require(asio::execution::blocking.never).execute([&] { log += 'c'; });
        });
    });
    world.call_after(1ms, [&] { log += '!'; });
    world.run();
    // b is dispatched inline; c is posted and goes before the timers that are due at once: the
    // older one of the same instant, then the one of delay 0.
    EXPECT_EQ(log, "abc!d");
}

TEST(KernelWorld, RunsPostsFirstInFirstOutAcrossProcesses) {
    World world;
    Process one(world, 1, "one");
    Process two(world, 2, "two");
    std::string log;
    for (int i = 0; i < 3; ++i) {
        one.get_executor().execute([&log] { log += '1'; });
        two.get_executor().execute([&log] { log += '2'; });
    }
    EXPECT_EQ(log, "");
    world.run();
    EXPECT_EQ(log, "121212");
}

TEST(KernelWorld, AnInstantInThePastFiresAtOnceButNotInline) {
    World world;
    world.call_after(5ms, [&] {
        bool fired = false;
        world.call_at(Time{1ms}, [&world] { EXPECT_EQ(world.now(), Time{5ms}); });
        EXPECT_FALSE(fired);
    });
    EXPECT_EQ(world.run(), 2U);
    EXPECT_EQ(world.now(), Time{5ms});
}

TEST(KernelWorld, RunsUntilATimeAndStandsThere) {
    World world;
    std::string log;
    for (const auto delay : {1ms, 2ms, 3ms}) {
        world.call_after(delay, [&] { log += 'x'; });
    }
    EXPECT_EQ(world.run_until(Time{2ms}), 2U);
    EXPECT_EQ(log, "xx");
    EXPECT_EQ(world.run_until(Time{2500us}), 0U);
    EXPECT_EQ(world.now(), Time{2500us});
    EXPECT_EQ(world.run_until(Time{10ms}), 1U);
    EXPECT_EQ(world.now(), Time{10ms});
    EXPECT_EQ(world.run_until(Time{9ms}), 0U);
    EXPECT_EQ(world.now(), Time{10ms});
}

TEST(KernelWorld, RunsUntilAPredicateHolds) {
    World world;
    int fired = 0;
    for (int i = 1; i <= 5; ++i) {
        world.call_after(i * 1ms, [&] { ++fired; });
    }
    EXPECT_TRUE(world.run_until([&] { return fired == 3; }));
    EXPECT_EQ(world.now(), Time{3ms});
    EXPECT_FALSE(world.run_until([&] { return fired == 6; }));
    EXPECT_EQ(fired, 5);
}

TEST(KernelWorld, StopsAfterTheRunningHandler) {
    World world;
    int fired = 0;
    world.call_after(1ms, [&] {
        world.stop();
        ++fired;
    });
    world.call_after(1ms, [&] { ++fired; });
    EXPECT_EQ(world.run(), 1U);
    EXPECT_EQ(fired, 1);
    EXPECT_EQ(world.run(), 1U);
    EXPECT_EQ(fired, 2);
    world.call_after(1ms, [&] { world.stop(); });
    EXPECT_FALSE(world.run_until([] { return false; }));
    world.call_after(1ms, [&] { world.stop(); });
    world.run_until(Time{1h});
    EXPECT_EQ(world.now(), Time{3ms});
}

TEST(KernelWorld, StaysUsableWhenAHandlerThrows) {
    World world;
    Process process(world, 1, "p");
    int fired = 0;
    world.call_after(process, 1ms, [] { throw std::runtime_error("defect"); });
    world.call_after(process, 2ms, [&] { ++fired; });
    EXPECT_THROW(world.run(), std::runtime_error);
    EXPECT_EQ(world.current(), nullptr);
    world.run();
    EXPECT_EQ(fired, 1);
}

TEST(KernelWorld, CancelsACallbackOnceAndDestroysItThen) {
    World world;
    auto held = std::make_shared<int>(0);
    Callback callback = world.call_after(1ms, [held] { ++*held; });
    EXPECT_TRUE(callback.pending());
    EXPECT_EQ(held.use_count(), 2);
    EXPECT_TRUE(callback.cancel());
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_FALSE(callback.pending());
    EXPECT_FALSE(callback.cancel());
    EXPECT_EQ(world.run(), 0U);
    EXPECT_EQ(world.now(), Time{});
    EXPECT_FALSE(Callback().pending());
    EXPECT_FALSE(Callback().cancel());
}

TEST(KernelWorld, AHandleOfACallbackThatFiredIsWorthNothing) {
    World world;
    int fired = 0;
    Callback first = world.call_after(1ms, [&] { EXPECT_FALSE(first.pending()); });
    world.run();
    // Takes over memory and slot of the first one.
    Callback second = world.call_after(1ms, [&] { ++fired; });
    EXPECT_FALSE(first.cancel());
    EXPECT_TRUE(second.pending());
    world.run();
    EXPECT_EQ(fired, 1);
}

TEST(KernelWorld, ItsOwnCallbacksSurviveACrashAndAProcesssDoNot) {
    World world;
    Process process(world, 1, "p");
    std::string log;
    world.call_after(2ms, [&] { log += 'w'; });
    Callback dead = world.call_after(process, 2ms, [&] { log += '!'; });
    world.call_after(process, 1ms, [&] { log += 'p'; });
    world.call_at(Time{1ms}, [&] { process.crash(); });
    EXPECT_EQ(world.pending(process), 2U);
    EXPECT_EQ(world.pending(), 2U);
    world.run();
    EXPECT_EQ(log, "pw");
    EXPECT_FALSE(dead.pending());
    EXPECT_FALSE(world.call_after(process, 1ms, [&] { log += '!'; }).pending());
    EXPECT_EQ(world.pending(process), 0U);
    EXPECT_EQ(world.run(), 0U);
}

TEST(KernelWorld, DestroysWhatNeverFired) {
    auto held = std::make_shared<int>(0);
    Pool pool;
    {
        World world(&pool);
        Process process(world, 1, "p");
        world.call_after(1ms, [held] {});
        world.call_after(process, 1ms, [held] {});
        process.get_executor().execute([held] {});
        EXPECT_EQ(held.use_count(), 4);
    }
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(pool.live(), 0U);
}

TEST(KernelWorld, OnePoolServesWorldsOneAfterTheOther) {
    Pool pool;
    for (int round = 0; round < 3; ++round) {
        World world(&pool);
        int fired = 0;
        for (int i = 0; i < 100; ++i) {
            world.call_after(i * 1us, [&] { ++fired; });
        }
        world.run();
        EXPECT_EQ(fired, 100);
    }
    EXPECT_EQ(pool.live(), 0U);
}

}  // namespace
}  // namespace drydock::sim
