#include <drydock/sim/process.hpp>
#include <drydock/sim/sleep.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>

namespace drydock::sim {
namespace {

using namespace std::chrono_literals;

class KernelSleep : public testing::Test {
protected:
    /// A handler that notes how and when it was called.
    auto note(asio::cancellation_slot slot = {}) {
        return asio::bind_cancellation_slot(slot, [this](Wake how) {
            EXPECT_FALSE(wake);
            EXPECT_EQ(world.current(), &process);
            wake = how;
            at = world.now();
        });
    }

    World world;
    Process process{world, 1, "p"};
    Executor executor = process.get_executor();
    asio::cancellation_signal signal;
    std::optional<Wake> wake;
    Time at{};
};

TEST_F(KernelSleep, EndsAfterItsDuration) {
    async_sleep(executor, 3ms, Interrupt::allowed, note());
    EXPECT_EQ(world.pending(process), 1U);
    world.run();
    EXPECT_EQ(wake, Wake::done);
    EXPECT_EQ(at, Time{3ms});
}

TEST_F(KernelSleep, OfZeroOrLessIsNotInline) {
    async_sleep(executor, 0ms, Interrupt::allowed, note());
    EXPECT_FALSE(wake);
    world.run();
    EXPECT_EQ(wake, Wake::done);
    wake.reset();
    async_sleep(executor, -1s, Interrupt::allowed, note());
    EXPECT_FALSE(wake);
    world.run();
    EXPECT_EQ(wake, Wake::done);
    EXPECT_EQ(world.now(), Time{});
}

TEST_F(KernelSleep, ForeverDoesNotKeepTheWorldRunning) {
    async_sleep(executor, Duration::max(), Interrupt::allowed, note(signal.slot()));
    world.call_after(1h, [] {});
    EXPECT_EQ(world.run(), 1U);
    EXPECT_TRUE(world.idle());
    EXPECT_EQ(world.pending(process), 1U);
    signal.emit(asio::cancellation_type::terminal);
    world.run();
    EXPECT_EQ(wake, Wake::cancelled);
    EXPECT_EQ(world.pending(process), 0U);
}

TEST_F(KernelSleep, EndsAtTheInstantOfATerminalSignal) {
    async_sleep(executor, 1s, Interrupt::allowed, note(signal.slot()));
    world.call_after(2ms, [&] {
        signal.emit(asio::cancellation_type::terminal);
        EXPECT_FALSE(wake);
    });
    world.run();
    EXPECT_EQ(wake, Wake::cancelled);
    EXPECT_EQ(at, Time{2ms});
    EXPECT_EQ(world.now(), Time{2ms});
}

TEST_F(KernelSleep, IgnoresWeakerSignals) {
    async_sleep(executor, 5ms, Interrupt::allowed, note(signal.slot()));
    world.call_after(2ms, [&] {
        signal.emit(asio::cancellation_type::partial | asio::cancellation_type::total);
    });
    world.run();
    EXPECT_EQ(wake, Wake::done);
    EXPECT_EQ(at, Time{5ms});
}

TEST_F(KernelSleep, ShieldedIgnoresTheSlot) {
    async_sleep(executor, 5ms, Interrupt::shielded, note(signal.slot()));
    world.call_after(2ms, [&] { signal.emit(asio::cancellation_type::all); });
    world.run();
    EXPECT_EQ(wake, Wake::done);
    EXPECT_EQ(at, Time{5ms});
}

TEST_F(KernelSleep, SecondAndLateSignalsAreHarmless) {
    async_sleep(executor, 5ms, Interrupt::allowed, note(signal.slot()));
    signal.emit(asio::cancellation_type::terminal);
    signal.emit(asio::cancellation_type::terminal);
    world.run();
    EXPECT_EQ(wake, Wake::cancelled);
    signal.emit(asio::cancellation_type::terminal);
    EXPECT_EQ(world.run(), 0U);
}

TEST_F(KernelSleep, ASignalAfterTheCrashIsHarmless) {
    async_sleep(executor, 5ms, Interrupt::allowed, note(signal.slot()));
    process.crash();
    signal.emit(asio::cancellation_type::terminal);
    world.run();
    EXPECT_FALSE(wake);
}

TEST_F(KernelSleep, CompletesOnTheExecutorOfItsHandler) {
    Process other(world, 2, "other");
    const Process* seen = nullptr;
    auto handler = [&](Wake) { seen = world.current(); };
    async_sleep(executor, 1ms, Interrupt::allowed,
                asio::bind_executor(other.get_executor(), handler));
    world.run();
    EXPECT_EQ(seen, &other);
}

awaitable<void> doze(World& world, Executor executor, std::string& log) {
    co_await asio::this_coro::throw_if_cancelled(false);
    const Wake first = co_await async_sleep(executor, 10ms, Interrupt::allowed, asio::deferred);
    log += first == Wake::cancelled ? 'c' : 'd';
    EXPECT_EQ(world.now(), Time{4ms});
    const Wake second = co_await async_sleep(executor, 10ms, Interrupt::shielded, asio::deferred);
    log += second == Wake::cancelled ? 'c' : 'd';
    EXPECT_EQ(world.now(), Time{14ms});
}

TEST_F(KernelSleep, InACoroutineFollowsTheCoroutinesCancellation) {
    std::string log;
    std::exception_ptr failure;
    asio::co_spawn(executor, doze(world, executor, log),
                   asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr error) {
                       failure = error;
                       log += '.';
                   }));
    for (const auto when : {4ms, 6ms}) {
        world.call_after(process, when, [&] { signal.emit(asio::cancellation_type::terminal); });
    }
    world.run();
    EXPECT_EQ(log, "cd.");
    EXPECT_FALSE(failure);
}

}  // namespace
}  // namespace drydock::sim
