#include <drydock/retry.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace drydock {
namespace {

using namespace std::chrono_literals;

constexpr auto all_bits = std::numeric_limits<std::uint64_t>::max();

TEST(RetryBackoff, DoublesFromTwoSeconds) {
    const Backoff backoff = Exponential{};
    EXPECT_EQ(delay_after(backoff, 1, 0), 2s);
    EXPECT_EQ(delay_after(backoff, 2, 0), 4s);
    EXPECT_EQ(delay_after(backoff, 3, 0), 8s);
    EXPECT_EQ(delay_after(backoff, 3, all_bits), 8s) << "without jitter nothing is drawn";
}

TEST(RetryBackoff, StopsAtItsCeiling) {
    const Backoff backoff = Exponential{.base = 2s, .factor = 3, .ceiling = 20s};
    EXPECT_EQ(delay_after(backoff, 3, 0), 18s);
    EXPECT_EQ(delay_after(backoff, 4, 0), 20s);
    EXPECT_EQ(delay_after(backoff, 5, 0), 20s);
    EXPECT_EQ(delay_after(backoff, std::numeric_limits<std::uint32_t>::max(), 0), 20s);
    const Backoff low = Exponential{.base = 10s, .ceiling = 3s};
    EXPECT_EQ(delay_after(low, 1, 0), 3s);
}

TEST(RetryBackoff, NeverOverflows) {
    const Backoff backoff =
        Exponential{.base = 1h, .factor = 4'000'000'000U, .ceiling = Duration::max()};
    EXPECT_EQ(delay_after(backoff, 2, 0), Duration::max());
    EXPECT_EQ(delay_after(backoff, 50, 0), Duration::max());
}

TEST(RetryBackoff, AFactorOfOneOrZeroStaysAtTheBase) {
    for (const std::uint32_t factor : {0U, 1U}) {
        const Backoff backoff = Exponential{.base = 5s, .factor = factor};
        EXPECT_EQ(delay_after(backoff, 1, 0), 5s) << factor;
    }
    EXPECT_EQ(delay_after(Exponential{.base = 5s, .factor = 1}, 9, 0), 5s);
}

TEST(RetryBackoff, JitterOnlyShortens) {
    const Backoff backoff = Exponential{.base = 10s, .jitter = 0.5};
    EXPECT_EQ(delay_after(backoff, 1, 0), 10s);
    const Duration shortest = delay_after(backoff, 1, all_bits);
    EXPECT_GE(shortest, 5s);
    EXPECT_LT(shortest, 5001ms);
    const Backoff beyond = Exponential{.base = 10s, .jitter = 7};
    EXPECT_GE(delay_after(beyond, 1, all_bits), 0s);
}

TEST(RetryBackoff, AnExplicitListRepeatsItsLast) {
    const Backoff backoff = ExplicitDelays{60s, 300s};
    EXPECT_EQ(delay_after(backoff, 0, 0), 60s);
    EXPECT_EQ(delay_after(backoff, 1, all_bits), 60s);
    EXPECT_EQ(delay_after(backoff, 2, 0), 300s);
    EXPECT_EQ(delay_after(backoff, 3, 0), 300s);
    EXPECT_EQ(delay_after(backoff, 1000, 0), 300s);
    EXPECT_EQ(delay_after(ExplicitDelays{}, 1, 0), 0s);
}

RC_GTEST_PROP(RetryBackoff, StaysWithinBounds, (std::uint64_t bits)) {
    const auto jitter_percent = *rc::gen::inRange(0, 101);
    const auto tries = *rc::gen::inRange(1U, 70U);
    const Exponential plain{.base = std::chrono::milliseconds(*rc::gen::inRange(1, 100'000)),
                            .factor = *rc::gen::inRange(1U, 10U)};
    Exponential jittered = plain;
    jittered.jitter = jitter_percent / 100.0;
    const Duration whole = delay_after(plain, tries, bits);
    const Duration drawn = delay_after(jittered, tries, bits);
    RC_ASSERT(whole <= plain.ceiling && whole >= Duration::zero());
    RC_ASSERT(whole >= std::min(plain.base, plain.ceiling));
    RC_ASSERT(drawn <= whole);
    RC_ASSERT(drawn + 1ms >= whole * (100 - jitter_percent) / 100);
    RC_ASSERT(delay_after(plain, tries + 1, bits) >= whole);
}

}  // namespace
}  // namespace drydock
