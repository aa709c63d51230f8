#include "docker/json_cursor.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include <string>

namespace drydock::docker {
namespace {

using nlohmann::json;

bool skips_all(std::string_view text) {
    JsonCursor cursor(text);
    return cursor.skip() && cursor.at_end();
}

json random_json(int depth) {
    const int kind = *rc::gen::inRange(0, depth > 0 ? 7 : 5);
    switch (kind) {
        case 0: return nullptr;
        case 1: return *rc::gen::arbitrary<bool>();
        case 2: return *rc::gen::arbitrary<int>();
        case 3: return -0.5;
        case 4: return *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
        default: break;
    }
    json value = kind == 5 ? json::array() : json::object();
    const int count = *rc::gen::inRange(0, 4);
    for (int i = 0; i < count; ++i) {
        if (kind == 5) {
            value.push_back(random_json(depth - 1));
        } else {
            value["k" + std::to_string(i)] = random_json(depth - 1);
        }
    }
    return value;
}

/// Reads any value back by the cursor's own calls.
json read_value(JsonCursor& cursor, const json& like) {
    if (like.is_string()) {
        std::string value;
        cursor.read_string(value);
        return value;
    }
    if (like.is_boolean()) {
        bool value = false;
        cursor.read_bool(value);
        return value;
    }
    if (like.is_array()) {
        json value = json::array();
        cursor.enter_array();
        for (std::size_t i = 0; cursor.next_element(); ++i) {
            value.push_back(read_value(cursor, like[i]));
        }
        return value;
    }
    if (like.is_object()) {
        json value = json::object();
        cursor.enter_object();
        std::string_view key;
        while (cursor.next_key(key)) {
            value[std::string(key)] = read_value(cursor, like[std::string(key)]);
        }
        return value;
    }
    cursor.skip();
    return like;
}

RC_GTEST_PROP(DockerJson, ReadsBackWhatNlohmannWrites, ()) {
    const json value = random_json(4);
    const std::string text = value.dump(*rc::gen::element(-1, 2));
    RC_ASSERT(skips_all(text));
    JsonCursor cursor(text);
    RC_ASSERT(read_value(cursor, value) == value);
    RC_ASSERT(cursor.at_end());
}

RC_GTEST_PROP(DockerJson, ACutObjectNeverPasses, ()) {
    json value = random_json(3);
    const std::string text = json{{"a", value}}.dump();
    const auto length = *rc::gen::inRange<std::size_t>(0, text.size());
    RC_ASSERT(!skips_all(text.substr(0, length)));
}

RC_GTEST_PROP(DockerJson, AnyBytesAreSurvived, (const std::string& text)) {
    skips_all(text);
    const std::string object = "{\"a\":" + text;
    JsonCursor cursor(object);
    std::string_view key;
    std::string value;
    cursor.enter_object();
    while (cursor.next_key(key)) {
        cursor.read_string(value);
    }
}

TEST(DockerJson, DecodesEscapes) {
    JsonCursor cursor(R"("\"\\\/\b\f\n\r\tA\u00e9\u20ac\ud83d\ude00\ud800x")");
    std::string value;
    ASSERT_TRUE(cursor.read_string(value));
    EXPECT_EQ(value, "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbdx");
}

TEST(DockerJson, RefusesBrokenText) {
    for (const char* text : {"", " ", "{", "[", "{]", "[}", "[1,]", "{\"a\":1,}", "{\"a\"}", "\"a",
                             "\"a\\", "{\"a\" 1}", "{,}", "[1 2]", "{\"a\":1 \"b\":2}"}) {
        JsonCursor cursor(text);
        std::string_view key;
        const bool is_object = *text == '{';
        is_object ? cursor.enter_object() : cursor.enter_array();
        while (is_object ? cursor.next_key(key) : cursor.next_element()) {
            cursor.skip();
        }
        EXPECT_FALSE(cursor.at_end()) << text;
    }
}

TEST(DockerJson, NestingIsBounded) {
    const std::string deep(100'000, '[');
    EXPECT_FALSE(skips_all(deep));
    EXPECT_TRUE(skips_all(std::string(64, '[') + std::string(64, ']')));
    EXPECT_FALSE(skips_all(std::string(65, '[') + std::string(65, ']')));
}

}  // namespace
}  // namespace drydock::docker
