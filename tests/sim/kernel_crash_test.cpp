#include <drydock/sim/pending.hpp>
#include <drydock/sim/process.hpp>
#include <drydock/sim/sleep.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace drydock::sim {
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using Hook = std::function<void()>;

/// Counts the frames that hold it.
class Held {
public:
    explicit Held(int& live) : live_(live) { ++live_; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { --live_; }

private:
    int& live_;
};

/// A process that is at all times in many states: sleeping, exchanging, in an `&&`, in a child that
/// nothing can cancel, waiting on a channel that its own frame owns.
struct Victim {
    explicit Victim(
        World& world, Hook after_each = [] {})
        : hook(std::move(after_each)), process(world, 1, "victim") {
        for (int i = 0; i < 3; ++i) {
            asio::co_spawn(process.get_executor(), work(), asio::detached);
        }
        asio::co_spawn(process.get_executor(), wait_on_own_channel(), asio::detached);
    }

    awaitable<void> pause(Duration duration) {
        const Held held(live);
        const Executor executor = process.get_executor();
        co_await async_sleep(executor, duration, Interrupt::allowed, asio::deferred);
        ++ticks;
    }

    awaitable<void> exchange() {
        const Held held(live);
        World& world = process.world();
        auto start = [&world](Promise<std::string> reply) {
            world.call_after(2ms, [&world, reply] {
                world.call_after(1ms, [reply]() mutable { reply.fulfil("ok"); });
            });
        };
        const Executor executor = process.get_executor();
        auto settled = co_await async_pending<std::string>(executor, 1s, Interrupt::allowed, start,
                                                           asio::deferred);
        ++ticks;
        EXPECT_EQ(settled.value, "ok");
    }

    awaitable<void> work() {
        const Held held(live);
        const Executor executor = process.get_executor();
        for (int i = 0; i < 2; ++i) {
            co_await exchange();
            hook();
            co_await (pause(3ms) && pause(5ms));
            hook();
            auto shielded =
                asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable);
            co_await asio::co_spawn(executor, pause(1ms), shielded);
            hook();
            co_await asio::post(executor, asio::use_awaitable);
            ++ticks;
        }
    }

    awaitable<void> wait_on_own_channel() {
        const Held held(live);
        asio::experimental::channel<void(boost::system::error_code, int)> channel(
            process.get_executor(), 0);
        co_await channel.async_receive(asio::use_awaitable);
        ++ticks;
    }

    int live = 0;
    int ticks = 0;
    Hook hook;
    Process process;
};

std::uint64_t steps_of_a_whole_run() {
    World world;
    Victim victim(world);
    world.run();
    EXPECT_EQ(victim.ticks, 3 * 2 * 5);
    EXPECT_EQ(victim.live, 1);  // the channel
    return world.steps();
}

TEST(KernelCrash, AfterEveryStepDestroysEverythingAndResumesNothing) {
    const std::uint64_t steps = steps_of_a_whole_run();
    ASSERT_GT(steps, 40U);
    for (std::uint64_t at = 0; at <= steps; ++at) {
        Pool pool;
        {
            World world(&pool);
            Victim victim(world);
            for (std::uint64_t i = 0; i < at; ++i) {
                ASSERT_TRUE(world.step());
            }
            const int ticks = victim.ticks;
            victim.process.crash();
            ASSERT_EQ(victim.live, 0) << at;
            ASSERT_EQ(world.pending(victim.process), 0U);
            world.run();
            ASSERT_EQ(victim.ticks, ticks) << at;
        }
        ASSERT_EQ(pool.live(), 0U) << at;
    }
}

TEST(KernelCrash, FromInsideAHandlerEndsWithThatHandler) {
    for (int strike = 0; strike < 18; ++strike) {
        Pool pool;
        {
            World world(&pool);
            int calls = 0;
            std::optional<int> ticks;
            std::optional<Victim> victim;
            victim.emplace(world, [&] {
                EXPECT_FALSE(ticks);
                if (calls++ == strike) {
                    victim->process.crash();
                    EXPECT_GT(victim->live, 0);  // not under the running handler's feet
                    ticks = victim->ticks;
                }
            });
            world.run();
            ASSERT_TRUE(ticks) << strike;
            ASSERT_EQ(victim->ticks, *ticks);
            ASSERT_EQ(victim->live, 0);
        }
        ASSERT_EQ(pool.live(), 0U);
    }
}

TEST(KernelCrash, FromTheWorldAtAnyInstantLeavesOthersAlone) {
    for (int at = 0; at < 24; ++at) {
        World world;
        Victim victim(world);
        Victim other(world);
        world.call_after(at * 500us, [&] { victim.process.crash(); });
        world.run();
        ASSERT_EQ(victim.live, 0);
        ASSERT_FALSE(victim.process.alive());
        ASSERT_EQ(other.ticks, 30);
        ASSERT_EQ(other.live, 1);
    }
}

TEST(KernelCrash, AWorldDroppedAtAnyStepLeaksNothing) {
    const std::uint64_t steps = steps_of_a_whole_run();
    for (std::uint64_t at = 0; at <= steps; ++at) {
        Pool pool;
        {
            World world(&pool);
            Victim victim(world);
            for (std::uint64_t i = 0; i < at; ++i) {
                ASSERT_TRUE(world.step());
            }
        }
        ASSERT_EQ(pool.live(), 0U) << at;
    }
}

TEST(KernelCrash, AProcessMayBeReplacedFromAWorldCallback) {
    World world;
    auto victim = std::make_unique<Victim>(world);
    world.call_after(4ms, [&] {
        victim.reset();
        victim = std::make_unique<Victim>(world);
    });
    world.run();
    EXPECT_TRUE(victim->process.alive());
    EXPECT_EQ(victim->ticks, 30);
}

TEST(KernelCrash, IsFinalAndIdempotent) {
    World world;
    Process process(world, 1, "p");
    process.crash();
    process.crash();
    EXPECT_FALSE(process.alive());
    auto held = std::make_shared<int>(0);
    process.get_executor().execute([held] { ++*held; });
    asio::post(process.get_executor(), [held] { ++*held; });
    async_sleep(process.get_executor(), 1ms, Interrupt::allowed, [held](Wake) { ++*held; });
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(world.run(), 0U);
    EXPECT_EQ(*held, 0);
}

/// Runs something when it is destroyed, as a scope guard of client code would.
class Guard {
public:
    explicit Guard(Hook hook) : hook_(std::move(hook)) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { hook_(); }

private:
    Hook hook_;
};

awaitable<void> guarded(Executor executor, const Hook& hook) {
    const Guard guard(hook);
    co_await async_sleep(executor, 1h, Interrupt::allowed, asio::deferred);
}

TEST(KernelCrash, WhatDestructorsStartInTheDeadProcessIsDroppedToo) {
    World world;
    Process process(world, 1, "p");
    const Executor executor = process.get_executor();
    int guards = 0;
    int ran = 0;
    const Hook hook = [&] {
        ++guards;
        EXPECT_FALSE(process.alive());
        executor.execute([&] { ++ran; });
        async_sleep(executor, 0ms, Interrupt::allowed, [&](Wake) { ++ran; });
        async_pending<int>(
            executor, 1s, Interrupt::allowed, [&](Promise<int>) { ++ran; },
            [&](Settled<int>) { ++ran; });
        world.call_after(process, 0ms, [&] { ++ran; });
    };
    for (int i = 0; i < 3; ++i) {
        asio::co_spawn(executor, guarded(executor, hook), asio::detached);
    }
    world.call_after(1ms, [&] { process.crash(); });
    world.run();
    EXPECT_EQ(guards, 3);
    EXPECT_EQ(ran, 0);
}

TEST(KernelCrash, ADestructorMayCrashAnotherProcess) {
    World world;
    Process one(world, 1, "one");
    Process two(world, 2, "two");
    int live = 0;
    const Hook crash_two = [&] { two.crash(); };
    const Hook count = [&] { ++live; };
    asio::co_spawn(one.get_executor(), guarded(one.get_executor(), crash_two), asio::detached);
    asio::co_spawn(two.get_executor(), guarded(two.get_executor(), count), asio::detached);
    world.call_after(1ms, [&] { one.crash(); });
    EXPECT_GT(world.run(), 0U);
    EXPECT_FALSE(two.alive());
    EXPECT_EQ(live, 1);
    EXPECT_EQ(world.now(), Time{1ms});
}

}  // namespace
}  // namespace drydock::sim
