#include "scenarios/format_support.hpp"

#include <drydock/scenarios/schema.hpp>

#include <gtest/gtest.h>

namespace drydock::scenarios {
namespace {

using Json = nlohmann::json;

std::string schema_error(const Json& document) {
    try {
        check_against_schema(document);
    } catch (const faults::InputError& error) {
        return error.pointer + ": " + error.message;
    }
    return "no error";
}

/// Pointers to every value of a document.
void collect(const Json& json, const std::string& at, std::vector<std::string>& pointers) {
    pointers.push_back(at);
    if (json.is_object()) {
        for (const auto& [key, value] : json.items()) {
            collect(value, faults::below(at, key), pointers);
        }
    } else if (json.is_array()) {
        for (std::size_t i = 0; i < json.size(); ++i) {
            collect(json[i], faults::below(at, i), pointers);
        }
    }
}

std::vector<std::string> all_pointers() {
    std::vector<std::string> pointers;
    collect(full_document(), "", pointers);
    return pointers;
}

TEST(FormatSchema, AcceptsWhatTheReaderAccepts) {
    EXPECT_EQ(schema_error(full_document()), "no error");
    EXPECT_EQ(schema_error(small_document()), "no error");
}

TEST(FormatSchema, IsDraft7AndSaysItsFormat) {
    const Json schema = Json::parse(scenario_schema());
    EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    EXPECT_EQ(schema["properties"]["schema"]["const"], "drydock.scenario/1");
}

TEST(FormatSchema, NoValueMayBeNull) {
    for (const std::string& pointer : all_pointers()) {
        Json document = full_document();
        document[Json::json_pointer(pointer)] = nullptr;
        EXPECT_NE(schema_error(document), "no error") << pointer;
        EXPECT_NE(error_in(document.dump()), "no error") << pointer;
    }
}

TEST(FormatSchema, NoObjectMayHaveAFieldThatIsNotInTheFormat) {
    for (const std::string& pointer : all_pointers()) {
        Json document = full_document();
        Json& value = document[Json::json_pointer(pointer)];
        const bool is_map = pointer == "/expect/steps" || pointer == "/expect/legacy" ||
                            pointer == "/expect/by_kind" ||
                            pointer == "/expect/by_kind/daytona/steps";
        if (value.is_object() && !is_map) {
            value["zzz"] = "1s";
            EXPECT_NE(schema_error(document), "no error") << pointer;
        }
    }
}

// The reader's own checks come first, as they say more; so whatever the schema forbids, they must
// find too.
TEST(FormatSchema, TheReaderFindsAllThatTheSchemaForbids) {
    const std::vector<Json> values{nullptr,
                                   true,
                                   0,
                                   -1,
                                   5000,
                                   0.5,
                                   "",
                                   "x y",
                                   "1s",
                                   Json::array(),
                                   Json::object(),
                                   Json::array({"a", "a"}),
                                   Json{{"z", "1s"}},
                                   std::string(5000, 'a')};
    for (const std::string& pointer : all_pointers()) {
        for (const Json& value : values) {
            Json document = full_document();
            document[Json::json_pointer(pointer)] = value;
            const std::string forbidden = schema_error(document);
            const std::string found = error_in(document.dump());
            if (forbidden != "no error") {
                EXPECT_NE(found, "no error") << pointer << " " << value;
                EXPECT_EQ(found.find(forbidden), std::string::npos)
                    << pointer << " " << value.dump().substr(0, 40) << ": " << found;
            }
        }
    }
}

TEST(FormatSchema, NamesThePlace) {
    Json document = full_document();
    document["client"]["attempts"] = "3";
    EXPECT_EQ(schema_error(document).substr(0, 17), "/client/attempts:");
}

}  // namespace
}  // namespace drydock::scenarios
