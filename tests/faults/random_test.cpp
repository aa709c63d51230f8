#include <drydock/faults/random.hpp>

#include <gtest/gtest.h>

#include <set>

namespace drydock::faults {
namespace {

// The reference values of SplitMix64 for seed 1234567: campaigns of other builds must agree.
TEST(Random, IsSplitMix64) {
    SplitMix64 random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317U);
    EXPECT_EQ(random.next(), 3203168211198807973U);
    EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(Random, BelowStaysBelowAndReachesAll) {
    SplitMix64 random(1);
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 1000; ++i) {
        seen.insert(random.below(7));
    }
    EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, ChanceIsInPercent) {
    SplitMix64 random(2);
    int hits = 0;
    for (int i = 0; i < 100'000; ++i) {
        hits += random.chance(23) ? 1 : 0;
    }
    EXPECT_NEAR(hits, 23'000, 600);
    EXPECT_FALSE(random.chance(0));
    EXPECT_TRUE(random.chance(100));
}

TEST(Random, SeedsOfRunsDiffer) {
    std::set<std::uint64_t> seeds;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        for (std::uint64_t i = 0; i < 100; ++i) {
            seeds.insert(seed_of(seed, i));
        }
    }
    EXPECT_EQ(seeds.size(), 10'000U);
}

}  // namespace
}  // namespace drydock::faults
