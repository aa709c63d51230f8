#include <drydock/reports/console.hpp>
#include <drydock/reports/report.hpp>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace drydock::reports {
namespace {

using faults::Verdict;
using nlohmann::json;
using scenarios::TestedRun;
using testing::HasSubstr;

TestedRun run_with(Verdict verdict) {
    TestedRun run{"s", "docker", "library", {}, {}};
    run.report.outcome.verdict = verdict;
    return run;
}

TestedRun broken_run() {
    TestedRun run = run_with(Verdict::violation);
    run.report.outcome.violations = {{"no_leak", "sandbox 1", "was \xff left"}};
    run.report.steps["p/a#1"] = {"error:timeout", "timeout: (no detail)"};
    run.report.outcome.digest = 0xabc;
    return run;
}

TEST(Report, WorstVerdictDecides) {
    EXPECT_EQ(worse(Verdict::pass, Verdict::void_), Verdict::void_);
    EXPECT_EQ(worse(Verdict::expectation, Verdict::void_), Verdict::expectation);
    EXPECT_EQ(worse(Verdict::expectation, Verdict::violation), Verdict::violation);
    EXPECT_EQ(worse(Verdict::nondeterministic, Verdict::violation), Verdict::nondeterministic);
    Report report;
    add(report, run_with(Verdict::void_));
    add(report, run_with(Verdict::pass));
    EXPECT_EQ(report.verdict, Verdict::void_);
    EXPECT_EQ(report.runs, 2U);
}

TEST(Report, JsonOfAViolation) {
    Report report;
    add(report, broken_run());
    report.seconds = 1.5;
    const json outcome = json::parse(outcome_json(report));
    EXPECT_EQ(outcome["verdict"], "violation");
    const json& result = outcome["results"][0];
    EXPECT_EQ(result["violations"][0]["invariant"], "no_leak");
    EXPECT_EQ(result["violations"][0]["subject"], "sandbox 1");
    EXPECT_EQ(result["violations"][0]["story"], "was \xef\xbf\xbd left");
    EXPECT_EQ(result["steps"]["p/a#1"], "error:timeout");
    EXPECT_EQ(result["errors"]["p/a#1"], "timeout: (no detail)");
    EXPECT_EQ(result["digest"], "0000000000000abc");
    EXPECT_EQ(outcome["closure"], nullptr);
    EXPECT_EQ(outcome["stats"]["seconds"], 1.5);
}

TEST(Report, SearchKeepsOnlyWhatBroke) {
    scenarios::SearchReport search;
    search.campaign.runs = 10;
    search.campaign.void_runs = 2;
    search.campaign.choices_by_kind["reply_lost"] = 7;
    search.finds.push_back({.index = 3, .run = broken_run(), .capsule = {}});
    Report report;
    add(report, std::move(search));
    EXPECT_EQ(report.runs, 10U);
    EXPECT_EQ(report.verdict, Verdict::violation);
    const json outcome = json::parse(outcome_json(report));
    EXPECT_EQ(outcome["results"].size(), 1U);
    EXPECT_EQ(outcome["coverage"]["choices_by_kind"]["reply_lost"], 7);
    EXPECT_EQ(outcome["closure"]["complete"], false);
}

TEST(Report, ASearchOfVoidRunsOnlyIsVoid) {
    scenarios::SearchReport search;
    search.campaign.runs = 2;
    search.campaign.void_runs = 2;
    Report report;
    add(report, std::move(search));
    EXPECT_EQ(report.verdict, Verdict::void_);
}

TEST(Console, LeadsWithInvariantAndSubject) {
    Report report;
    add(report, broken_run());
    add(report, run_with(Verdict::pass));
    const std::string text = told(report, {});
    EXPECT_THAT(text, HasSubstr("violation   s on docker, library\n    no_leak: sandbox 1: was"));
    EXPECT_THAT(text, HasSubstr("    p/a#1: timeout: (no detail)\n"));
    EXPECT_THAT(text, testing::EndsWith("violation   2 runs\n"));
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_THAT(told(report, {.has_color = true}), HasSubstr("\x1b[31mviolation"));
    EXPECT_EQ(told(run_with(Verdict::pass), {.is_quiet = true}), "");
}

}  // namespace
}  // namespace drydock::reports
