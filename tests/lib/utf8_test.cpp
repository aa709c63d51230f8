#include <drydock/utf8.hpp>

#include <gtest/gtest.h>

namespace drydock::test {
namespace {

TEST(Utf8, KnowsUtf8) {
    EXPECT_EQ(first_invalid_utf8(""), std::nullopt);
    EXPECT_EQ(first_invalid_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\xa2z"), std::nullopt);
    EXPECT_EQ(first_invalid_utf8("\xf4\x8f\xbf\xbf"), std::nullopt);
    EXPECT_EQ(first_invalid_utf8("ab\x80"), 2U);
    EXPECT_EQ(first_invalid_utf8("\xc0\x80"), 0U) << "overlong";
    EXPECT_EQ(first_invalid_utf8("\xe0\x9f\xbf"), 0U) << "overlong";
    EXPECT_EQ(first_invalid_utf8("\xed\xa0\x80"), 0U) << "surrogate";
    EXPECT_EQ(first_invalid_utf8("\xf4\x90\x80\x80"), 0U) << "beyond U+10FFFF";
    EXPECT_EQ(first_invalid_utf8("a\xe2\x82"), 1U) << "cut";
}

}  // namespace
}  // namespace drydock::test
