// Cancels and crashes at every suspension of a run, alone and in pairs: nothing may break.
#include "support/scenario_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace scenarios;
using namespace std::chrono_literals;
using faults::Aspect;
using faults::Cancel;
using faults::Crash;
using faults::Moment;
using faults::SiteName;
using testing::IsEmpty;

constexpr std::array moments{Moment::before, Moment::in_flight, Moment::with_completion};

/// Two actors that share a key, with all that the caller can hand in, and a third call after them.
Scenario busy_scenario() {
    AcquireStep whole{.key = "k"};
    whole.staging = StagingTimes{1s, 1s};
    whole.undo = {"first", "second"};
    whole.bootstrap = 2s;
    return actors(
        {{whole, HoldStep{5s}, ReleaseStep{"k"}, AcquireStep{.key = "k"}, CleanupStep{"k"}},
         {AcquireStep{.key = "k"}, HoldStep{1s}, ReleaseStep{"k"}, CleanupStep{"k"}}});
}

std::vector<Cancel> all_cancels() {
    std::vector<Cancel> cancels;
    for (const Moment first : moments) {
        cancels.push_back(Cancel{{{first, {}}}});
        cancels.push_back(Cancel{{{first, "a"}}});
        for (const Moment second : moments) {
            if (second < first) continue;  // they fall in order
            cancels.push_back(Cancel{{{first, {}}, {second, {}}}});
            cancels.push_back(Cancel{{{first, "b"}, {second, "a"}}});
        }
    }
    return cancels;
}

/// The run under that plan breaks nothing, reports no defect, and leaves no step unended.
void expect_sound(const Scenario& scenario, const faults::Plan& plan, const std::string& kind) {
    const RunRequest request{scenario, backend(kind), client(library_client)};
    const RunReport report = run_plan(request, plan, false);
    ASSERT_THAT(report.outcome.violations, IsEmpty()) << kind << " " << told(report);
    ASSERT_THAT(report.defects, IsEmpty()) << kind << " " << told(report);
    ASSERT_EQ(report.removed, report.sandboxes) << kind << " " << told(report);
    for (const auto& [name, step] : report.steps) {
        ASSERT_NE(step.outcome, "unended") << name << " " << told(report);
    }
}

std::vector<SiteName> sites(const Scenario& scenario, const std::string& kind, Aspect aspect) {
    const RunReport report = run_library(scenario, {}, kind);
    EXPECT_EQ(report.outcome.verdict, faults::Verdict::pass) << told(report);
    return sites_of(scenario, report, aspect);
}

TEST(RunnerEverySite, OneCancelOrTwoAtOneSite) {
    const Scenario scenario = busy_scenario();
    for (const std::string& kind : backend_names) {
        const auto all = sites(scenario, kind, Aspect::cancel);
        ASSERT_GE(all.size(), 25U);
        for (const SiteName& site : all) {
            for (const Cancel& cancel : all_cancels()) {
                expect_sound(scenario, plan({entry(site, cancel)}), kind);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(RunnerEverySite, OneCancelAtEachOfTwoSites) {
    const Scenario scenario = busy_scenario();
    for (const std::string& kind : backend_names) {
        const auto all = sites(scenario, kind, Aspect::cancel);
        for (std::size_t i = 0; i < all.size(); ++i) {
            // After the first cancel the run is another one: what comes up in it counts.
            const Cancel first{{{moments[i % moments.size()], {}}}};
            const RunReport struck = run_library(scenario, plan({entry(all[i], first)}), kind);
            for (const SiteName& site : sites_of(scenario, struck, Aspect::cancel)) {
                if (site == all[i]) continue;
                const Cancel second{{{Moment::in_flight, {}}}};
                expect_sound(scenario, plan({entry(all[i], first), entry(site, second)}), kind);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(RunnerEverySite, TenCancelsAtOneSite) {
    const Scenario scenario = busy_scenario();
    for (const std::string& kind : backend_names) {
        for (const SiteName& site : sites(scenario, kind, Aspect::cancel)) {
            for (const Moment moment : moments) {
                Cancel cancel;
                cancel.strikes.assign(10, {moment, {}});
                expect_sound(scenario, plan({entry(site, cancel)}), kind);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(RunnerEverySite, OneCrash) {
    const Scenario scenario = busy_scenario();
    for (const std::string& kind : backend_names) {
        for (const SiteName& site : sites(scenario, kind, Aspect::crash)) {
            for (const Moment moment : moments) {
                expect_sound(scenario, plan({entry(site, Crash{moment})}), kind);
                if (HasFatalFailure()) return;
            }
        }
    }
}

// The second one falls into the recovery from the first.
TEST(RunnerEverySite, TwoCrashes) {
    const Scenario scenario = busy_scenario();
    for (const std::string& kind : backend_names) {
        for (const SiteName& site : sites(scenario, kind, Aspect::crash)) {
            const auto first = entry(site, Crash{Moment::in_flight});
            const RunReport crashed = run_library(scenario, plan({first}), kind);
            for (const SiteName& later : sites_of(scenario, crashed, Aspect::crash)) {
                if (later == site) continue;
                const auto second = entry(later, Crash{Moment::in_flight});
                expect_sound(scenario, plan({first, second}), kind);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(RunnerEverySite, ACancelAndThenACrash) {
    const Scenario scenario = busy_scenario();
    for (const std::string& kind : backend_names) {
        for (SiteName site : sites(scenario, kind, Aspect::cancel)) {
            const auto cancel = entry(site, Cancel{{{Moment::in_flight, {}}}});
            const RunReport struck = run_library(scenario, plan({cancel}), kind);
            for (const SiteName& later : sites_of(scenario, struck, Aspect::crash)) {
                const auto crash = entry(later, Crash{Moment::before});
                expect_sound(scenario, plan({cancel, crash}), kind);
                if (HasFatalFailure()) return;
            }
        }
    }
}

}  // namespace
}  // namespace drydock::test
