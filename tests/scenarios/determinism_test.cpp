// A run is a pure function of its scenario and its plan.
#include "support/scenario_kit.hpp"

#include <drydock/faults/plan_chooser.hpp>
#include <drydock/faults/random.hpp>
#include <drydock/faults/random_chooser.hpp>
#include <drydock/scenarios/random_scenario.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <set>
#include <vector>

namespace drydock::test {
namespace {

using namespace scenarios;
using faults::seed_of;

constexpr std::uint64_t campaign = 768;

/// Plan i of the campaign: its scenario, its backend, and what a chooser draws for it.
class Drawn {
public:
    explicit Drawn(std::uint64_t i)
        : seed_(seed_of(campaign, i)),
          kind_(backend(backend_names[i % backend_names.size()])),
          scenario_(random_scenario(seed_, kind_.name)) {}

    RunReport run(sim::Pool* pool = nullptr, bool keep_trace = false) const {
        faults::RandomChooser chooser(seed_);
        return run_with(chooser, pool, keep_trace);
    }
    RunReport run_with(faults::Chooser& chooser, sim::Pool* pool = nullptr,
                       bool keep_trace = false) const {
        faults::Names names = names_of(scenario_);
        return scenarios::run(request(pool, keep_trace), chooser, names);
    }
    RunReport replay(const faults::Plan& plan, bool keep_trace = false) const {
        return run_plan(request(nullptr, keep_trace), plan, false);
    }
    std::uint64_t seed() const { return seed_; }

private:
    RunRequest request(sim::Pool* pool, bool keep_trace) const {
        return {scenario_, kind_, client(library_client), pool, keep_trace};
    }

    std::uint64_t seed_;
    const sim::BackendKind& kind_;
    Scenario scenario_;
};

std::size_t plans() { return scaled(1000); }

TEST(Determinism, TheSamePlanTwiceIsTheSameRun) {
    for (std::uint64_t i = 0; i < plans(); ++i) {
        const Drawn drawn(i);
        const RunReport first = drawn.run();
        const RunReport second = drawn.run();
        ASSERT_EQ(first.outcome.digest, second.outcome.digest) << i;
        ASSERT_EQ(first.outcome.plan, second.outcome.plan) << i;
        ASSERT_EQ(first.outcome.violations, second.outcome.violations) << i;
        ASSERT_EQ(first.end, second.end) << i;
    }
}

TEST(Determinism, APoolThatManyRunsShareChangesNothing) {
    sim::Pool shared;
    for (std::uint64_t i = 0; i < plans(); ++i) {
        const Drawn drawn(i);
        ASSERT_EQ(drawn.run(&shared).outcome.digest, drawn.run().outcome.digest) << i;
    }
    EXPECT_EQ(shared.live(), 0U) << "no run leaves anything";
}

TEST(Determinism, ARecordedPlanReplaysItsRun) {
    for (std::uint64_t i = 0; i < plans(); ++i) {
        const Drawn drawn(i);
        const RunReport first = drawn.run();
        const RunReport again = drawn.replay(first.outcome.plan);
        ASSERT_EQ(first.outcome.digest, again.outcome.digest) << i << " " << told(first);
        ASSERT_EQ(first.outcome.inert, again.outcome.inert) << i;
        ASSERT_TRUE(again.outcome.unknown_sites.empty()) << i;
    }
}

TEST(Determinism, APlanSurvivesItsFile) {
    for (std::uint64_t i = 0; i < plans() / 4; ++i) {
        const Drawn drawn(i);
        const RunReport first = drawn.run();
        const std::string text = to_json(first.outcome.plan).dump();
        const auto plan = faults::Plan::from_json(nlohmann::json::parse(text));
        ASSERT_EQ(drawn.replay(plan).outcome.digest, first.outcome.digest) << i;
    }
}

TEST(Determinism, OtherRunsInBetweenChangeNothing) {
    std::vector<std::uint64_t> digests;
    for (std::uint64_t i = 0; i < plans(); ++i)
        digests.push_back(Drawn(i).run().outcome.digest);
    for (std::uint64_t i = plans(); i-- > 0;) {
        ASSERT_EQ(Drawn(i).run().outcome.digest, digests[i]) << i;
    }
}

/// Draws as another chooser does, and at each site that comes up lets something else happen.
class Interrupted final : public faults::Chooser {
public:
    Interrupted(faults::Chooser& inner, std::function<void()> at_each_site)
        : inner_(inner), at_each_site_(std::move(at_each_site)) {}

    faults::Plan plan(const faults::Names& names) const override { return inner_.plan(names); }

private:
    const faults::Choice* decide(const faults::Site& site) override {
        at_each_site_();
        const faults::Choice* choice = inner_.choose(site);
        if (choice != nullptr) taken_.push_back(inner_.taken().back());
        return choice;
    }

    faults::Chooser& inner_;
    std::function<void()> at_each_site_;
};

// Whole runs inside another run, at sites all over it: no state is shared between worlds.
TEST(Determinism, RunsInsideARunChangeNeither) {
    for (std::uint64_t i = 0; i < plans() / 10; ++i) {
        const Drawn outer(i);
        const Drawn inner(i + 1);
        const std::uint64_t outer_digest = outer.run().outcome.digest;
        const std::uint64_t inner_digest = inner.run().outcome.digest;
        std::uint32_t sites = 0;
        faults::RandomChooser random(outer.seed());
        Interrupted chooser(random, [&] {
            const bool is_turn = sites++ % 40 == 7;
            if (is_turn) {
                EXPECT_EQ(inner.run().outcome.digest, inner_digest);
            }
        });
        ASSERT_EQ(outer.run_with(chooser).outcome.digest, outer_digest) << i;
        ASSERT_GT(sites, 7U) << i;
    }
}

// The digest is no constant: it tells runs apart.
TEST(Determinism, DifferentPlansHaveDifferentDigests) {
    std::set<std::uint64_t> digests;
    for (std::uint64_t i = 0; i < 100; ++i)
        digests.insert(Drawn(i).run().outcome.digest);
    EXPECT_EQ(digests.size(), 100U);
}

TEST(Determinism, EqualDigestsMeanEqualEvents) {
    for (std::uint64_t i = 0; i < 50; ++i) {
        const Drawn drawn(i);
        const RunReport first = drawn.run(nullptr, true);
        const RunReport again = drawn.replay(first.outcome.plan, true);
        ASSERT_EQ(first.trace.size(), again.trace.size()) << i;
        for (std::size_t k = 0; k < first.trace.size(); ++k) {
            const sim::Event& a = first.trace[k];
            const sim::Event& b = again.trace[k];
            const bool is_same = a.at == b.at && a.kind == b.kind && a.subject == b.subject &&
                                 a.value == b.value && a.n == b.n && a.lease == b.lease;
            ASSERT_TRUE(is_same) << "run " << i << ", event " << k;
        }
    }
}

}  // namespace
}  // namespace drydock::test
