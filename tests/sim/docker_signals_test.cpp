#include "docker/signals.hpp"

#include <gtest/gtest.h>

namespace drydock::sim::docker {
namespace {

TEST(DockerSignals, HaveNamesInAnyCase) {
    EXPECT_EQ(signal_number("TERM"), 15);
    EXPECT_EQ(signal_number("SIGTERM"), 15);
    EXPECT_EQ(signal_number("sigterm"), 15);
    EXPECT_EQ(signal_number("CLD"), signal_number("CHLD"));
    EXPECT_EQ(signal_number("NOPE"), std::nullopt);
    EXPECT_EQ(signal_number("SIG"), std::nullopt);
    EXPECT_EQ(signal_number(""), std::nullopt);
}

TEST(DockerSignals, HaveNumbersUpTo64) {
    EXPECT_EQ(signal_number("1"), 1);
    EXPECT_EQ(signal_number("64"), 64);
    EXPECT_EQ(signal_number("0"), std::nullopt);
    EXPECT_EQ(signal_number("65"), std::nullopt);
    EXPECT_EQ(signal_number("-9"), std::nullopt);
    EXPECT_EQ(signal_number("9x"), std::nullopt);
}

TEST(DockerSignals, CountRealTimeOnesFromBothEnds) {
    EXPECT_EQ(signal_number("RTMIN"), 34);
    EXPECT_EQ(signal_number("SIGRTMIN+15"), 49);
    EXPECT_EQ(signal_number("RTMAX-14"), 50);
    EXPECT_EQ(signal_number("rtmax"), 64);
    EXPECT_EQ(signal_number("RTMIN+16"), std::nullopt);
    EXPECT_EQ(signal_number("RTMAX-15"), std::nullopt);
}

}  // namespace
}  // namespace drydock::sim::docker
