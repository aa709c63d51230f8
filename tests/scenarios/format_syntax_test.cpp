#include "scenarios/format_support.hpp"

#include <gtest/gtest.h>

namespace drydock::scenarios {
namespace {

TEST(FormatSyntax, NamesLineAndColumn) {
    EXPECT_EQ(error_in("{\n  \"schema\": x}"),
              "a.json:2:13: syntax error while parsing value - invalid literal; last read: "
              "'\"schema\": x'");
    EXPECT_EQ(error_in("").substr(0, 11), "a.json:1:1:");
    EXPECT_EQ(error_in("{} {}").substr(0, 11), "a.json:1:4:");
}

TEST(FormatSyntax, EveryTruncationIsAnError) {
    const std::string text = full_document().dump(1);
    for (std::size_t length = 0; length < text.size(); ++length) {
        const std::string error = error_in(text.substr(0, length));
        ASSERT_EQ(error.substr(0, 7), "a.json:") << length;
        ASSERT_NE(error[7], ' ') << error << ": truncation is a syntax error";
    }
    EXPECT_EQ(error_in(text), "no error");
}

TEST(FormatSyntax, DeepNestingDoesNotOverflowTheStack) {
    EXPECT_EQ(error_in(std::string(100'000, '[')), "a.json:1:65: nested deeper than 64 levels");
    std::string objects;
    for (int i = 0; i < 100'000; ++i) {
        objects += "{\"a\":";
    }
    EXPECT_EQ(error_in(objects), "a.json:1:321: nested deeper than 64 levels");
    EXPECT_EQ(error_in("]" + std::string(60, '[')).find("nested"), std::string::npos);
}

TEST(FormatSyntax, BracketsInStringsAreNoNesting) {
    auto document = small_document();
    document["about"] = std::string(1000, '[') + "\"\\" + std::string(1000, '{');
    EXPECT_EQ(error_in(document.dump()), "no error");
}

TEST(FormatSyntax, RefusesDuplicateKeys) {
    EXPECT_EQ(error_in(R"({"schema": 1, "schema": 2})"),
              "a.json: /schema: the key \"schema\" stands here twice");
    EXPECT_EQ(error_in(R"({"a": [0, {"x": {}}, {"b": [], "c": 1, "b": 2}]})"),
              "a.json: /a/2/b: the key \"b\" stands here twice");
    EXPECT_EQ(error_in(R"({"a": 1, "\u0061": 2})"), "a.json: /a: the key \"a\" stands here twice");
}

TEST(FormatSyntax, RefusesInvalidUtf8) {
    auto text = small_document().dump(1);
    text.insert(text.find("small"), "\xff");
    EXPECT_EQ(error_in(text), "a.json:5:11: not UTF-8");
}

TEST(FormatSyntax, RefusesWhatStandsBehindAByte0) {
    const std::string text = small_document().dump();
    EXPECT_EQ(
        error_in(text + std::string(1, '\0') + "junk"),
        "a.json:1:" + std::to_string(text.size() + 1) + ": a byte of value 0, which no JSON has");
}

TEST(FormatSyntax, RefusesNumbersThatNoNumberHolds) {
    EXPECT_EQ(error_in(R"({"schema": 1e999})"), "a.json:1:16: number overflow parsing '1e999'");
}

TEST(FormatSyntax, RefusesHugeFilesUnread) {
    EXPECT_EQ(error_in(std::string(max_file_size + 1, ' ')),
              "a.json: 16777217 bytes are more than a scenario may have (16777216)");
}

TEST(FormatSyntax, LoneSurrogatesAreErrors) {
    EXPECT_EQ(error_in(R"({"schema": "\ud800"})").substr(0, 7), "a.json:");
    EXPECT_NE(error_in(R"({"schema": "\ud800"})"), "no error");
}

}  // namespace
}  // namespace drydock::scenarios
