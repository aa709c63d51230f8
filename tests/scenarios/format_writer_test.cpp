#include "scenarios/format_support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace drydock::scenarios {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

/// Written and read again, field by field what it was.
void expect_round_trip(const Scenario& scenario) {
    const std::string text = write_scenario(scenario);
    const Scenario again = read_text(text);
    EXPECT_EQ(write_scenario(again), text);
    EXPECT_EQ(again.processes, scenario.processes);
    EXPECT_EQ(again.plan, scenario.plan);
    EXPECT_EQ(again.expect, scenario.expect);
    EXPECT_EQ(again.expect_by_kind, scenario.expect_by_kind);
    EXPECT_EQ(again.found, scenario.found);
    EXPECT_EQ(again.backend, scenario.backend);
    EXPECT_EQ(again.restart_after, scenario.restart_after);
    EXPECT_EQ(again.client.attempts, scenario.client.attempts);
    EXPECT_EQ(again.client.deadline, scenario.client.deadline);
}

TEST(FormatWriter, RoundTripsTheFullAndTheSmall) {
    expect_round_trip(read_text(full_document().dump()));
    expect_round_trip(read_text(small_document().dump()));
}

TEST(FormatWriter, WritesTheFileForm) {
    const Json written = Json::parse(write_scenario(read_text(full_document().dump())));
    const Json source = full_document();
    for (const char* field :
         {"schema", "name", "about", "source", "backend", "processes", "found"}) {
        EXPECT_EQ(written[field], source[field]) << field;
    }
    EXPECT_EQ(written["plan"][0], source["plan"][0]);
    EXPECT_EQ(written["client"]["request_timeout"], "30s");
    EXPECT_EQ(written["client"]["teardown_deadline"], "1m");
}

TEST(FormatWriter, SaysDefaultsToo) {
    const Json written = Json::parse(write_scenario(read_text(small_document().dump())));
    EXPECT_EQ(written["client"]["attempts"], 3);
    EXPECT_EQ(written["client"]["late_horizon"], "10m");
    EXPECT_FALSE(written.contains("found"));
    EXPECT_FALSE(written["client"].contains("deadline"));
}

TEST(FormatWriter, StartsWithWhatAPersonLooksFor) {
    EXPECT_TRUE(
        write_scenario(read_text(small_document().dump()))
            .starts_with("{\n  \"schema\": \"drydock.scenario/1\",\n  \"name\": \"small\""));
}

rc::Gen<Duration> any_time() {
    return rc::gen::map(rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000),
                        [](std::int64_t count) { return Duration{count}; });
}

const std::vector<std::string> keys{"scan-1", "a/b c", "-", "\xc3\xa9\"\\", "%41"};

rc::Gen<std::string> any_key() { return rc::gen::elementOf(keys); }

ActorStep draw_acquire() {
    AcquireStep step{.key = *any_key()};
    step.staging = *rc::gen::element<std::optional<StagingTimes>>(std::nullopt, StagingTimes{},
                                                                  StagingTimes{1s, 2500ms});
    step.undo = *rc::gen::element<std::vector<std::string>>(std::vector<std::string>{},
                                                            std::vector<std::string>{"a", "b.c"});
    if (*rc::gen::arbitrary<bool>()) {
        step.bootstrap = *any_time();
        step.tries = *rc::gen::inRange(1U, 1001U);
    }
    if (*rc::gen::arbitrary<bool>()) {
        step.deadline = *any_time() + 1ns;
    }
    return step;
}

ActorStep draw_run() {
    RunStep step{.key = *any_key(), .job = *any_key(), .program = {}};
    step.program.takes = *any_time();
    step.program.out = *rc::gen::inRange(0U, 5000U);
    step.program.err = *rc::gen::inRange(0U, 5000U);
    step.program.exit_code = *rc::gen::inRange(0, 256);
    step.program.reads = *rc::gen::inRange(0U, 3U);
    step.program.children = *rc::gen::inRange(0U, 3U);
    step.program.ignores_term = *rc::gen::arbitrary<bool>();
    step.program.is_launcher = *rc::gen::arbitrary<bool>();
    step.waits = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) {
        step.timeout = *any_time() + 1ns;
    }
    return step;
}

ActorStep draw_step() {
    switch (*rc::gen::inRange(0, 10)) {
        case 6: return draw_run();
        case 7: return WaitStep{*any_key(), *any_key()};
        case 8: return StdinStep{*any_key(), *any_key(), *any_key()};
        case 9: return KillStep{*any_key(), *any_key()};
        case 0: return draw_acquire();
        case 1: return HoldStep{*any_time()};
        case 2: return ReleaseStep{*any_key()};
        case 3: return CleanupStep{*any_key()};
        case 4: return AttachStep{*any_key()};
        default: return CloseStep{};
    }
}

RC_GTEST_PROP(FormatWriter, RoundTripsAnySteps, ()) {
    Scenario scenario = read_text(small_document().dump());
    for (const std::string& key : keys) {
        scenario.processes[0].actors[0].steps.emplace_back(AttachStep{key});
    }
    const int count = *rc::gen::inRange(0, 12);
    for (int i = 0; i < count; ++i) {
        scenario.processes[0].actors[0].steps.push_back(draw_step());
    }
    scenario.client.backoff = ExplicitDelays{*any_time(), *any_time()};
    scenario.client.settle = *any_time() + 1ns;
    const Scenario again = read_text(write_scenario(scenario));
    RC_ASSERT(again.processes == scenario.processes);
    RC_ASSERT(again.client.settle == scenario.client.settle);
    RC_ASSERT(std::get<ExplicitDelays>(again.client.backoff) ==
              std::get<ExplicitDelays>(scenario.client.backoff));
}

}  // namespace
}  // namespace drydock::scenarios
