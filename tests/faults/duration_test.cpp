#include <drydock/faults/duration.hpp>

#include "faults/generators.hpp"
#include "faults/support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace drydock::faults {
namespace {

using namespace std::chrono_literals;

TEST(Duration, Reads) {
    EXPECT_EQ(parse_duration("2s"), 2s);
    EXPECT_EQ(parse_duration("150ms"), 150ms);
    EXPECT_EQ(parse_duration("10m"), 10min);
    EXPECT_EQ(parse_duration("1h"), 1h);
    EXPECT_EQ(parse_duration("1h30m"), 90min);
    EXPECT_EQ(parse_duration("1s500ms"), 1500ms);
    EXPECT_EQ(parse_duration("0s"), 0s);
    EXPECT_EQ(parse_duration("87600h"), max_duration);
}

TEST(Duration, HasOneSpelling) {
    EXPECT_EQ(format_duration(0s), "0s");
    EXPECT_EQ(format_duration(90s), "1m30s");
    EXPECT_EQ(format_duration(24h), "24h");
    EXPECT_EQ(format_duration(29900ms), "29900ms");
    EXPECT_EQ(format_duration(1us), "1us");
    EXPECT_EQ(format_duration(1h + 1ns), "3600000000001ns");
    EXPECT_EQ(format_duration(-2s), "-2s");
}

TEST(Duration, TellsMomentsForPeople) {
    const Time start{};
    EXPECT_EQ(format_time(start + 4ms), "0.004s");
    EXPECT_EQ(format_time(start + 90s), "1m 30.000s");
    EXPECT_EQ(format_time(start + 59min + 59999ms), "59m 59.999s");
    EXPECT_EQ(format_time(start + 24h + 3ms), "24h 00m 00.003s");
}

RC_GTEST_PROP(Duration, RoundTrips, ()) {
    const Duration duration = *any_duration() + *any_duration();
    RC_ASSERT(parse_duration(format_duration(duration)) == duration);
}

struct Bad {
    const char* text;
    const char* message;
};

class BadDuration : public testing::TestWithParam<Bad> {};

TEST_P(BadDuration, SaysWhy) {
    EXPECT_EQ(error_of([] { static_cast<void>(parse_duration(GetParam().text)); }),
              std::string("|duration ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadDuration,
    testing::Values(Bad{"", "\"\" is empty; write for example 2s"},
                    Bad{"-2s", "\"-2s\" is negative"},
                    Bad{"2", "\"2\" has a number without a unit (h, m, s, ms, us, ns)"},
                    Bad{"1.5s", "\"1.5s\" has a fraction; use a smaller unit, as in 1500ms"},
                    Bad{"2sec", "\"2sec\" has the unknown unit \"sec\" (h, m, s, ms, us, ns)"},
                    Bad{"2 s", "\"2 s\" has the unknown unit \" s\" (h, m, s, ms, us, ns)"},
                    Bad{"soon", "\"soon\" is not a number followed by a unit, as in 2s or 1h30m"},
                    Bad{"30m1h", "\"30m1h\" has its units out of order; write 1h30m, not 30m1h"},
                    Bad{"1s1s", "\"1s1s\" has its units out of order; write 1h30m, not 30m1h"},
                    Bad{"87601h", "\"87601h\" is longer than ten years"},
                    Bad{"99999999999999999999h",
                        "\"99999999999999999999h\" is longer than ten years"}));

}  // namespace
}  // namespace drydock::faults
