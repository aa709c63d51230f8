#include <drydock/faults/campaign.hpp>

#include <gtest/gtest.h>

namespace drydock::faults {
namespace {

/// A run of four calls that breaks when its start's reply is lost, and is void without choices.
Outcome toy_run(Chooser& chooser) {
    Names names;
    const auto process = names.process("a");
    const auto lease = names.lease("x");
    Outcome outcome;
    for (const auto operation : {Operation::ledger_put, Operation::container_create,
                                 Operation::container_start, Operation::container_remove}) {
        const Choice* choice = chooser.choose({process, lease, operation, 1, Aspect::fate});
        if (choice != nullptr && operation == Operation::container_start &&
            kind_name(*choice) == "reply_lost") {
            outcome.verdict = Verdict::violation;
            outcome.violations.push_back({"no_leak", "a/x", ""});
        }
    }
    outcome.plan = chooser.plan(names);
    outcome.digest = digest(outcome.plan);
    outcome.is_void = outcome.plan.empty();
    return outcome;
}

TEST(RandomCampaign, StopsAtTheFirstFind) {
    const CampaignReport report = RandomCampaign(toy_run, {.runs = 100'000, .seed = 3}).search();
    ASSERT_EQ(report.finds.size(), 1U);
    EXPECT_EQ(report.finds[0].index + 1, report.runs);
    EXPECT_EQ(report.finds[0].outcome.violations[0].invariant, "no_leak");
    RandomChooser again(seed_of(3, report.finds[0].index));
    EXPECT_EQ(toy_run(again).plan, report.finds[0].outcome.plan);
}

TEST(RandomCampaign, GoesOnWhereAsked) {
    const CampaignOptions options{.runs = 5000, .stop_at_first = false};
    const CampaignReport report = RandomCampaign(toy_run, options).search();
    EXPECT_EQ(report.runs, 5000U);
    EXPECT_GT(report.finds.size(), 1U);
    EXPECT_GT(report.void_runs, 0U);
    EXPECT_GE(report.choices_by_kind.at("reply_lost"), report.finds.size());
}

TEST(RandomCampaign, ShardsTakeTheRunsBetweenThem) {
    CampaignOptions options{.runs = 4000, .stop_at_first = false};
    const auto whole = RandomCampaign(toy_run, options).search();
    std::uint64_t finds = 0;
    for (options.first = 0; options.first < 4; ++options.first) {
        options.runs = 1000;
        options.stride = 4;
        finds += RandomCampaign(toy_run, options).search().finds.size();
    }
    EXPECT_EQ(finds, whole.finds.size());
}

TEST(RandomCampaign, IsTheSameEveryTime) {
    const CampaignOptions options{.runs = 200, .seed = 9, .stop_at_first = false};
    const RandomCampaign campaign(toy_run, options);
    EXPECT_EQ(campaign.search().digest, campaign.search().digest);
}

TEST(RandomCampaign, ProgressSeesEachRunAndMayEndIt) {
    std::uint64_t calls = 0;
    const auto report =
        RandomCampaign([](Chooser&) { return Outcome{}; }, {}).search([&](const auto& so_far) {
            EXPECT_EQ(so_far.runs, ++calls);
            return calls < 7;
        });
    EXPECT_EQ(report.runs, 7U);
    EXPECT_TRUE(report.finds.empty());
}

TEST(Verdict, HasFileNames) {
    EXPECT_EQ(name(Verdict::void_), "void");
    EXPECT_EQ(name(Verdict::violation), "violation");
    EXPECT_EQ(name(Verdict::nondeterministic), "nondeterministic");
}

}  // namespace
}  // namespace drydock::faults
