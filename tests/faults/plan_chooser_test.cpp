#include <drydock/faults/plan_chooser.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace drydock::faults {
namespace {

constexpr auto start = Operation::container_start;

PlanEntry entry(const char* at, const char* choose, bool sticky = false) {
    PlanEntry made;
    made.at = SiteName::parse(at);
    made.choose = choice_from_text(choose, made.at.aspect, made.at.operation);
    made.sticky = sticky;
    return made;
}

std::string said(const Choice* choice) { return choice == nullptr ? "-" : to_string(*choice); }

/// What a chooser says at calls 1..count of container_start.
std::vector<std::string> at_starts(Chooser& chooser, std::uint32_t count) {
    std::vector<std::string> all;
    for (std::uint32_t n = 1; n <= count; ++n) {
        all.push_back(said(chooser.choose({0, 1, start, n, Aspect::fate})));
    }
    return all;
}

using Said = std::vector<std::string>;

TEST(PlanChooser, EmptyPlanIsTheDefault) {
    Names names;
    PlanChooser chooser(Plan{}, names);
    EXPECT_EQ(at_starts(chooser, 3), (Said{"-", "-", "-"}));
    EXPECT_TRUE(chooser.taken().empty());
}

TEST(PlanChooser, FollowsThePlan) {
    Names names;
    PlanChooser chooser(Plan({entry("a[x]/container_start#2/fate", "reply_lost"),
                              entry("a[x]/container_start#2/cancel", "before"),
                              entry("a[y]/container_start#1/fate", "refused")}),
                        names);
    EXPECT_EQ(at_starts(chooser, 3), (Said{"-", "reply_lost", "-"}));
    EXPECT_EQ(said(chooser.choose({0, 1, start, 2, Aspect::cancel})), "before");
    EXPECT_EQ(said(chooser.choose({1, 1, start, 2, Aspect::fate})), "-");
    EXPECT_EQ(chooser.times_taken(), (std::vector<std::uint32_t>{1, 1, 0}));
    EXPECT_EQ(chooser.unknown_sites(), (Said{"a[y]/container_start#1/fate"}));
    ASSERT_EQ(chooser.taken().size(), 2U);
    EXPECT_EQ(chooser.taken()[1].entry, 1U);
    EXPECT_EQ(to_string(chooser.taken()[1].site, names), "a[x]/container_start#2/cancel");
}

TEST(PlanChooser, StickyAppliesToEveryLaterCall) {
    Names names;
    PlanChooser chooser(Plan({entry("a[x]/container_start#2/fate", "refused", true)}), names);
    EXPECT_EQ(at_starts(chooser, 4), (Said{"-", "refused", "refused", "refused"}));
    EXPECT_EQ(said(chooser.choose({0, 1, Operation::container_remove, 3, Aspect::fate})), "-");
    EXPECT_EQ(said(chooser.choose({0, 1, start, 3, Aspect::delay})), "-");
    EXPECT_EQ(chooser.times_taken()[0], 3U);
}

TEST(PlanChooser, LaterEntryWinsAtItsCallOnly) {
    Names names;
    PlanChooser chooser(Plan({entry("a[x]/container_start#3/fate", "stalled"),
                              entry("a[x]/container_start#1/fate", "refused", true)}),
                        names);
    EXPECT_EQ(at_starts(chooser, 4), (Said{"refused", "refused", "stalled", "refused"}));
}

TEST(PlanChooser, LaterStickyEntryTakesOver) {
    Names names;
    PlanChooser chooser(Plan({entry("a[x]/container_start#1/fate", "refused", true),
                              entry("a[x]/container_start#3/fate", "stalled", true)}),
                        names);
    EXPECT_EQ(at_starts(chooser, 4), (Said{"refused", "refused", "stalled", "stalled"}));
}

TEST(PlanChooser, NothingHappensAfterTheFaultsStop) {
    Names names;
    PlanChooser chooser(Plan({entry("a[x]/container_start#1/fate", "refused", true),
                              entry("a[x]/container_remove#1/fate", "refused")}),
                        names);
    EXPECT_EQ(at_starts(chooser, 1), (Said{"refused"}));
    chooser.faults_stopped();
    EXPECT_EQ(at_starts(chooser, 2), (Said{"-", "-"}));
    EXPECT_EQ(said(chooser.choose({0, 1, Operation::container_remove, 1, Aspect::fate})), "-");
    EXPECT_EQ(chooser.unknown_sites(), (Said{"a[x]/container_remove#1/fate"}));
}

/// The rule said plainly: this call's own entry, else the nearest sticky one before it.
const PlanEntry* by_the_rule(const std::vector<PlanEntry>& entries, std::uint32_t n) {
    const PlanEntry* best = nullptr;
    for (const PlanEntry& candidate : entries) {
        const bool applies = candidate.at.n == n || (candidate.sticky && candidate.at.n < n);
        if (applies && (best == nullptr || candidate.at.n > best->at.n)) {
            best = &candidate;
        }
    }
    return best;
}

RC_GTEST_PROP(PlanChooser, AgreesWithTheRule, ()) {
    std::vector<PlanEntry> entries;
    for (std::uint32_t n = 1; n <= 8; ++n) {
        if (*rc::gen::arbitrary<bool>()) {
            const auto status = fates::status_before(*rc::gen::inRange(400, 599));
            entries.push_back(
                {{"a", "x", start, n, Aspect::fate}, status, *rc::gen::arbitrary<bool>()});
        }
    }
    Names names;
    PlanChooser chooser(Plan(entries), names);
    for (std::uint32_t n = 1; n <= 10; ++n) {
        const PlanEntry* expected = by_the_rule(entries, n);
        const Choice* choice = chooser.choose({0, 1, start, n, Aspect::fate});
        RC_ASSERT(said(choice) == said(expected == nullptr ? nullptr : &expected->choose));
    }
}

}  // namespace
}  // namespace drydock::faults
