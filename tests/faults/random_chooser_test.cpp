#include <drydock/faults/random_chooser.hpp>

#include <drydock/faults/plan_chooser.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace drydock::faults {
namespace {

/// A run-like sequence of sites: two processes, two leases, every operation many times.
std::vector<Site> some_sites(Names& names) {
    for (const char* process : {"a", "b"}) {
        names.process(process);
    }
    for (const char* lease : {"x", "y"}) {
        names.lease(lease);
    }
    std::vector<Site> sites;
    for (std::uint32_t i = 0; i < 4 * operation_count * 8; ++i) {
        const auto who = static_cast<std::uint8_t>(i % 2);
        const std::uint32_t lease = 1 + (i / 2) % 2;
        const auto operation = static_cast<Operation>((i / 4) % operation_count);
        const auto n = static_cast<std::uint32_t>(1 + i / (4 * operation_count));
        for (std::size_t aspect = 0; aspect < aspect_count; ++aspect) {
            sites.push_back({who, lease, operation, n, static_cast<Aspect>(aspect)});
        }
    }
    return sites;
}

std::vector<std::string> answers(Chooser& chooser, const std::vector<Site>& sites) {
    std::vector<std::string> all;
    for (const Site& site : sites) {
        const Choice* choice = chooser.choose(site);
        all.push_back(choice == nullptr ? "" : to_string(*choice));
    }
    return all;
}

RC_GTEST_PROP(RandomChooser, ItsPlanReplaysIt, (std::uint64_t seed)) {
    Names names;
    const auto sites = some_sites(names);
    RandomChooser random(seed);
    const auto drawn = answers(random, sites);
    PlanChooser replay(random.plan(names), names);
    RC_ASSERT(answers(replay, sites) == drawn);
    RC_ASSERT(replay.unknown_sites().empty());
    RC_ASSERT(replay.taken().size() == random.taken().size());
}

RC_GTEST_PROP(RandomChooser, SameSeedSameChoices, (std::uint64_t seed)) {
    Names names;
    const auto sites = some_sites(names);
    RandomChooser first(seed);
    RandomChooser second(seed);
    RC_ASSERT(answers(first, sites) == answers(second, sites));
}

RC_GTEST_PROP(RandomChooser, KeepsItsLimits, (std::uint64_t seed)) {
    Names names;
    const RandomOptions options{*rc::gen::inRange(0U, 20U), *rc::gen::inRange(0U, 4U),
                                *rc::gen::inRange(0U, 3U), 15};
    RandomChooser random(seed, options);
    answers(random, some_sites(names));
    const Plan plan = random.plan(names);
    std::size_t cancels = 0;
    std::size_t crashes = 0;
    for (const PlanEntry& entry : plan.entries()) {
        const auto* cancel = std::get_if<Cancel>(&entry.choose);
        cancels += cancel == nullptr ? 0 : cancel->strikes.size();
        crashes += std::holds_alternative<Crash>(entry.choose) ? 1 : 0;
        const bool one_time = entry.at.aspect == Aspect::cancel || entry.at.aspect == Aspect::crash;
        RC_ASSERT(!(one_time && entry.sticky));
    }
    RC_ASSERT(plan.size() <= options.max_choices);
    RC_ASSERT(plan.size() <= random.aim());
    RC_ASSERT(cancels <= options.max_cancels);
    RC_ASSERT(crashes <= options.max_crashes);
}

TEST(RandomChooser, RunsDifferInCharacter) {
    Names names;
    const auto sites = some_sites(names);
    std::set<std::string_view> kinds;
    std::set<std::uint32_t> rates;
    std::set<std::size_t> sizes;
    bool any_sticky = false;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        RandomChooser random(seed_of(1, i));
        answers(random, sites);
        const Plan plan = random.plan(names);
        for (const PlanEntry& entry : plan.entries()) {
            kinds.insert(kind_name(entry.choose));
            any_sticky = any_sticky || entry.sticky;
        }
        rates.insert(random.rate_percent());
        sizes.insert(plan.size());
    }
    EXPECT_EQ(kinds.size(), kind_count - 1)
        << "every kind of the alphabet is drawn sooner or later";
    EXPECT_EQ(rates.size(), 8U);
    EXPECT_TRUE(sizes.contains(1) && sizes.contains(6));
    EXPECT_TRUE(any_sticky);
}

TEST(RandomChooser, ChoosesNothingAfterTheFaultsStop) {
    Names names;
    const auto sites = some_sites(names);
    RandomChooser random(7, {.max_choices = 1000, .sticky_percent = 100});
    answers(random, sites);
    const std::size_t before = random.taken().size();
    EXPECT_GT(before, 0U);
    random.faults_stopped();
    answers(random, sites);
    EXPECT_EQ(random.taken().size(), before);
}

// A campaign of another build must draw the same runs.
TEST(RandomChooser, DrawsTheSameOnEveryCompiler) {
    Names names;
    const auto sites = some_sites(names);
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
        RandomChooser random(seed_of(768, i));
        answers(random, sites);
        all = mix(all ^ digest(random.plan(names)));
    }
    EXPECT_EQ(all, 18178571982777366632U);
}

}  // namespace
}  // namespace drydock::faults
