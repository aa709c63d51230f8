#include <drydock/sim/pending.hpp>
#include <drydock/sim/process.hpp>
#include <drydock/sim/real_io.hpp>
#include <drydock/sim/sleep.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace drydock::sim {
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;

static_assert(asio::execution::is_executor<Executor>::value);
static_assert(std::is_convertible_v<Executor, asio::any_io_executor>);
static_assert(std::is_nothrow_copy_constructible_v<Executor>);
static_assert(sizeof(Executor) == 16);

class KernelAsio : public testing::Test {
protected:
    template <class F>
    void spawn(F f) {
        asio::co_spawn(executor, std::move(f), [this](std::exception_ptr error) {
            EXPECT_FALSE(error);
            ++ended;
        });
    }

    World world;
    Process process{world, 1, "p"};
    Executor executor = process.get_executor(3);
    int ended = 0;
};

/// Like library code: knows only the erased executor.
awaitable<int> nap(Duration duration, int result) {
    const asio::any_io_executor any = co_await asio::this_coro::executor;
    const Executor executor = *sim_executor(any);
    co_await async_sleep(executor, duration, Interrupt::allowed, asio::use_awaitable);
    co_return result;
}

TEST_F(KernelAsio, ExecutorSurvivesErasure) {
    const asio::any_io_executor any = executor;
    ASSERT_NE(sim_executor(any), nullptr);
    EXPECT_EQ(*sim_executor(any), executor);
    EXPECT_EQ(&sim_executor(any)->process(), &process);
    EXPECT_EQ(sim_executor(any)->lane(), 3U);
    EXPECT_EQ(&any.context(), &process);
    EXPECT_EQ(any, asio::any_io_executor(process.get_executor(3)));
    EXPECT_NE(any, asio::any_io_executor(process.get_executor(4)));
    asio::io_context real;
    EXPECT_EQ(sim_executor(asio::any_io_executor(real.get_executor())), nullptr);
}

TEST_F(KernelAsio, DispatchIsInlineInItsOwnProcessOnly) {
    Process other(world, 2, "other");
    std::string log;
    asio::post(executor, [&] {
        asio::dispatch(executor, [&] { log += 'a'; });
        asio::dispatch(asio::any_io_executor(executor), [&] { log += 'b'; });
        asio::dispatch(other.get_executor(), [&] { log += 'e'; });
        asio::post(executor, [&] { log += 'f'; });
        log += 'c';
        log += 'd';
    });
    world.run();
    EXPECT_EQ(log, "abcdef");
}

TEST_F(KernelAsio, OperatorsWaitForAllOrCancelTheLoser) {
    spawn([this]() -> awaitable<void> {
        const auto both = co_await (nap(2ms, 1) && nap(5ms, 2));
        EXPECT_EQ(std::get<0>(both) + std::get<1>(both), 3);
        EXPECT_EQ(world.now(), Time{5ms});
        const auto either = co_await (nap(1ms, 7) || nap(9ms, 8));
        EXPECT_EQ(either.index(), 0U);
        EXPECT_EQ(world.now(), Time{6ms});
    });
    world.run();
    EXPECT_EQ(ended, 1);
    EXPECT_EQ(world.pending(process), 0U);
}

TEST_F(KernelAsio, ParallelGroupReportsCompletionOrder) {
    spawn([this]() -> awaitable<void> {
        auto group = asio::experimental::make_parallel_group(
            async_sleep(executor, 3ms, Interrupt::allowed, asio::deferred),
            async_sleep(executor, 1ms, Interrupt::allowed, asio::deferred));
        const auto result =
            co_await group.async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
        const auto& order = std::get<0>(result);
        EXPECT_EQ(order[0], 1U);
        EXPECT_EQ(order[1], 0U);
        auto race = asio::experimental::make_parallel_group(
            async_sleep(executor, 3ms, Interrupt::allowed, asio::deferred),
            async_sleep(executor, 1ms, Interrupt::allowed, asio::deferred));
        const auto won =
            co_await race.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
        EXPECT_EQ(std::get<1>(won), Wake::cancelled);
        EXPECT_EQ(std::get<2>(won), Wake::done);
        EXPECT_EQ(world.now(), Time{4ms});
    });
    world.run();
    EXPECT_EQ(ended, 1);
}

TEST_F(KernelAsio, ChannelsCarryValuesBetweenCoroutines) {
    using Channel = asio::experimental::channel<void(boost::system::error_code, int)>;
    Channel channel(executor, 1);
    int sum = 0;
    spawn([&]() -> awaitable<void> {
        for (int i = 1; i <= 4; ++i) {
            co_await channel.async_send(boost::system::error_code(), i, asio::use_awaitable);
            co_await nap(1ms, 0);
        }
        channel.close();
    });
    spawn([&]() -> awaitable<void> {
        for (;;) {
            const auto got = co_await channel.async_receive(asio::as_tuple(asio::use_awaitable));
            if (std::get<0>(got)) {
                break;
            }
            sum += std::get<1>(got);
        }
    });
    world.run();
    EXPECT_EQ(ended, 2);
    EXPECT_EQ(sum, 10);
}

TEST_F(KernelAsio, StrandsWork) {
    const auto strand = asio::make_strand(executor);
    int ran = 0;
    asio::co_spawn(
        strand,
        [&]() -> awaitable<void, asio::strand<Executor>> {
            using Token = asio::use_awaitable_t<asio::strand<Executor>>;
            co_await async_sleep(executor, 1ms, Interrupt::allowed, Token());
            ++ran;
        },
        [&](std::exception_ptr error) { EXPECT_FALSE(error); });
    world.run();
    EXPECT_EQ(ran, 1);
}

awaitable<void> fail_soon() {
    co_await nap(1ms, 0);
    throw std::runtime_error("defect");
}

TEST_F(KernelAsio, AnExceptionOfACoroutineReachesItsHandler) {
    std::string what;
    asio::co_spawn(executor, fail_soon(), [&](std::exception_ptr error) {
        try {
            std::rethrow_exception(error);
        } catch (const std::runtime_error& caught) {
            what = caught.what();
        }
    });
    world.run();
    EXPECT_EQ(what, "defect");
}

TEST_F(KernelAsio, RealTimersAreFoundOut) {
    spawn([]() -> awaitable<void> { co_await nap(1ms, 0); });
    world.run();
    EXPECT_FALSE(uses_real_io(process));
    // Not even started: making one is enough to bring Asio's own scheduler and its thread.
    asio::steady_timer timer(executor);
    EXPECT_TRUE(uses_real_io(process));
}

/// One run with ties, cancellation and several processes; its history as a digest.
std::uint64_t digest_of_a_run(Duration tweak) {
    World world;
    Process one(world, 1, "one");
    Process two(world, 2, "two");
    for (Process* process : {&one, &two}) {
        for (std::uint32_t task = 0; task < 4; ++task) {
            auto body = [&world, process, task, tweak]() -> awaitable<void> {
                for (std::uint32_t n = 1; n <= 3; ++n) {
                    Event event;
                    event.at = world.now();
                    event.process = process->id();
                    event.lease = task;
                    event.n = n;
                    world.trace().add(event);
                    const Duration pause = (task % 2) * 1ms + tweak;
                    co_await (nap(pause, 1) || nap(2ms, 2));
                }
            };
            asio::co_spawn(process->get_executor(), body,
                           [](std::exception_ptr error) { EXPECT_FALSE(error); });
        }
    }
    world.run();
    EXPECT_EQ(world.trace().events().size(), 24U);
    return world.trace().digest();
}

TEST(KernelDigest, IsTheSameForTheSameRunAndAnotherForAnother) {
    EXPECT_EQ(digest_of_a_run(1ms), digest_of_a_run(1ms));
    EXPECT_NE(digest_of_a_run(1ms), digest_of_a_run(2ms));
    // The same under every compiler, optimisation level and sanitizer.
    EXPECT_EQ(digest_of_a_run(1ms), 938045909990580546U);
}

}  // namespace
}  // namespace drydock::sim
