#include <drydock/faults/input_error.hpp>
#include <drydock/faults/text.hpp>

#include <gtest/gtest.h>

#include <array>

namespace drydock::faults {
namespace {

constexpr std::array<std::string_view, 3> known{"reply_lost", "request_lost", "slow"};

TEST(Text, QuotesWhateverItIsGiven) {
    EXPECT_EQ(in_quotes("a\"b\\\n\xff"), R"("a\"b\\\x0a\xff")");
    EXPECT_EQ(in_quotes(std::string(61, 'x')), '"' + std::string(60, 'x') + "...\"");
}

TEST(Text, SuggestsWhatIsNear) {
    EXPECT_EQ(did_you_mean("replylost", known), "; did you mean \"reply_lost\"?");
    EXPECT_EQ(did_you_mean("solw", known), "; did you mean \"slow\"?");
    EXPECT_EQ(did_you_mean("quota", known), "");
    EXPECT_EQ(did_you_mean("", known), "");
    EXPECT_EQ(did_you_mean(std::string(10'000, 'x'), known), "");
}

TEST(Text, ListsAlternatives) {
    EXPECT_EQ(one_of(known), "reply_lost, request_lost or slow");
    EXPECT_EQ(one_of({}), "");
}

TEST(InputError, SaysFilePlaceAndCause) {
    const InputError error("/choose", "no");
    EXPECT_STREQ(error.what(), "/choose: no");
    EXPECT_STREQ(error.under("/plan/2").in_file("a.json").what(), "a.json: /plan/2/choose: no");
    EXPECT_STREQ(InputError("", "no").what(), "no");
    EXPECT_STREQ(InputError("", "no", "a.json").what(), "a.json: no");
    EXPECT_STREQ(InputError("3:5", "no", "a.json").what(), "a.json:3:5: no");
}

TEST(InputError, PointersEscapeKeys) {
    EXPECT_EQ(below("/a", "b/c~d"), "/a/b~1c~0d");
    EXPECT_EQ(below("", 3), "/3");
}

}  // namespace
}  // namespace drydock::faults
