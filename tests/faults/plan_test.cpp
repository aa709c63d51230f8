#include <drydock/faults/plan.hpp>

#include "faults/generators.hpp"
#include "faults/support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace drydock::faults {
namespace {

using Json = nlohmann::json;

const Json& example() {
    static const Json json = Json::parse(R"--([
        {"at": "runner[scan-1]/container_start#1/fate", "choose": "status_before(500)",
         "repeat": "until_faults_stop"},
        {"at": "runner[scan-1]/container_remove#1/cancel", "choose": ["before", "in_flight"]},
        {"at": "runner[-]/container_list#2/engine", "choose": "list_lag(30s)"}])--");
    return json;
}

TEST(Plan, ReadsAndWrites) {
    const Plan plan = Plan::from_json(example());
    ASSERT_EQ(plan.size(), 3U);
    EXPECT_TRUE(plan.entries()[0].sticky);
    EXPECT_FALSE(plan.entries()[1].sticky);
    EXPECT_EQ(plan.entries()[0].choose, Choice(fates::status_before(500)));
    EXPECT_EQ(to_json(plan), example());
    EXPECT_TRUE(Plan::from_json(Json::array()).empty());
}

TEST(Plan, TwoAspectsOfOneCallAreTwoSites) {
    EXPECT_EQ(Plan::from_json({{{"at", "a[-]/join#1/cancel"}, {"choose", "before"}},
                               {{"at", "a[-]/join#1/crash"}, {"choose", "before"}}})
                  .size(),
              2U);
}

rc::Gen<PlanEntry> any_entry() {
    return rc::gen::exec([] {
        PlanEntry entry;
        entry.at = *any_site_name();
        const Aspect aspect = entry.at.aspect;
        entry.at.operation = aspect == Aspect::engine   ? Operation::container_list
                             : aspect == Aspect::stream ? Operation::exec_start
                             : aspect == Aspect::step   ? Operation::guard_step
                                                        : Operation::container_create;
        entry.choose = *any_choice(entry.at.aspect, entry.at.operation);
        entry.sticky = *rc::gen::arbitrary<bool>();
        return entry;
    });
}

RC_GTEST_PROP(Plan, RoundTrips, ()) {
    const auto entries = *rc::gen::resize(
        10, rc::gen::uniqueBy<std::vector<PlanEntry>>(
                any_entry(), [](const PlanEntry& entry) { return to_string(entry.at); }));
    const Plan plan(entries);
    RC_ASSERT(Plan::from_json(Json::parse(to_json(plan).dump())) == plan);
    RC_ASSERT(digest(Plan::from_json(to_json(plan))) == digest(plan));
}

struct Bad {
    const char* json;
    const char* error;
};

class BadPlan : public testing::TestWithParam<Bad> {};

TEST_P(BadPlan, SaysWhatAndWhere) {
    EXPECT_EQ(
        error_of([] { static_cast<void>(Plan::from_json(Json::parse(GetParam().json), "/plan")); }),
        GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadPlan,
    testing::Values(
        Bad{R"({})", "/plan|a plan is a list of entries"},
        Bad{R"(["x"])", "/plan/0|a plan's entry is an object with at and choose"},
        Bad{R"([{"at": "a[-]/join#1/cancel"}])", "/plan/0|no field \"choose\""},
        Bad{R"([{"choose": "before"}])", "/plan/0|no field \"at\""},
        Bad{R"([{"at": "a[-]/join#1/cancel", "choos": "before"}])",
            "/plan/0/choos|unknown field \"choos\"; did you mean \"choose\"?"},
        Bad{R"([{"at": 5, "choose": "before"}])", "/plan/0/at|a site is a string"},
        Bad{R"([{"at": "a/join#1/cancel", "choose": "before"}])",
            "/plan/0/at|site \"a/join#1/cancel\", character 1: no '[' after the process; a site "
            "reads process[lease]/operation#n/aspect"},
        Bad{R"([{"at": "a[-]/container_list#1/fate", "choose": "reset_before"},
                {"at": "a[-]/container_list#2/fate", "choose": "reset_after"},
                {"at": "a[x]/container_create#1/fate", "choose": "replylost"}])",
            "/plan/2/choose|unknown fate \"replylost\"; did you mean \"reply_lost\"?"},
        Bad{R"([{"at": "a[x]/container_create#1/cancel", "choose": ["before", "soon"]}])",
            "/plan/0/choose/1|unknown moment \"soon\" (known: before, in_flight, "
            "with_completion)"},
        Bad{R"([{"at": "a[x]/container_create#1/fate", "choose": {"reply": "bad"}}])",
            "/plan/0/choose/reply|unknown reply \"bad\" (known: ok, lost, reset, cut_header, "
            "cut_body, stall, slow, not_sent)"},
        Bad{R"([{"at": "a[x]/container_start#1/fate", "choose": "partial"}])",
            "/plan/0/choose|partial fits container_create only, not container_start"},
        Bad{R"([{"at": "a[-]/join#1/cancel", "choose": "before", "repeat": true}])",
            "/plan/0/repeat|repeat is \"until_faults_stop\", or is left out"},
        Bad{R"([{"at": "a[-]/join#1/cancel", "choose": "before"},
                {"at": "a[-]/join#1/cancel", "choose": "in_flight"}])",
            "/plan/1/at|a[-]/join#1/cancel already has a choice, in entry 0"}));

TEST(Plan, IsLegalHoweverItIsMade) {
    const SiteName create{"a", "x", Operation::container_create, 1, Aspect::fate};
    EXPECT_EQ(error_of([&] { Plan({{create, Fate{}, false}}); }),
              "/0/choose|this is what happens without a choice");
    EXPECT_EQ(error_of([&] { Plan({{create, Crash{}, false}}); }),
              "/0/choose|crash belongs to a site ending in /crash, not /fate");
    const SiteName nowhere{"", "x", Operation::container_create, 1, Aspect::fate};
    EXPECT_EQ(error_of([&] { Plan({{nowhere, fates::reply_lost(), false}}); }), "/0/at|not a site");
}

TEST(Plan, NamesSoManyProcessesAndNoMore) {
    std::vector<PlanEntry> entries;
    for (std::size_t i = 0; i <= Plan::max_processes; ++i) {
        entries.push_back(
            {{"p" + std::to_string(i), "", Operation::join, 1, Aspect::crash}, Crash{}, false});
    }
    EXPECT_EQ(error_of([&] { Plan{entries}; }), "/128/at|a plan names at most 128 processes");
    entries.pop_back();
    EXPECT_EQ(error_of([&] { Plan{entries}; }), "no error");
}

}  // namespace
}  // namespace drydock::faults
