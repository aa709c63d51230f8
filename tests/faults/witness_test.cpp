#include <drydock/faults/witness.hpp>

#include "faults/support.hpp"

#include <gtest/gtest.h>

namespace drydock::faults {
namespace {

using namespace std::chrono_literals;

/// Facts of a call that began; each test sets the one thing it is about.
SiteFacts began() {
    SiteFacts facts;
    facts.reached = true;
    return facts;
}

SiteFacts ordinary() {
    SiteFacts facts = began();
    facts.sent = facts.arrived = facts.applied = facts.delivered = true;
    return facts;
}

/// The ordinary facts with some changed.
template <class Change>
SiteFacts with(Change change) {
    SiteFacts facts = ordinary();
    change(facts);
    return facts;
}

struct Case {
    const char* what;
    Choice choice;
    SiteFacts shown;
    SiteFacts inert;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.what; }

class WitnessTable : public testing::TestWithParam<Case> {};

TEST_P(WitnessTable, TellsBothWays) {
    EXPECT_TRUE(witnessed(GetParam().choice, GetParam().shown));
    EXPECT_FALSE(witnessed(GetParam().choice, GetParam().inert));
    SiteFacts unreached = GetParam().shown;
    unreached.reached = false;
    EXPECT_FALSE(witnessed(GetParam().choice, unreached));
}

SiteFacts never_arrived() {
    return with([](SiteFacts& f) { f.arrived = f.applied = f.delivered = false; });
}

const SiteFacts unsent = began();
const SiteFacts no_reply = with([](SiteFacts& f) { f.delivered = false; });
const SiteFacts refused_no_reply = with([](SiteFacts& f) {
    f.applied = f.delivered = false;
    f.refused_by_engine = true;
});
const SiteFacts not_applied = with([](SiteFacts& f) { f.applied = false; });

INSTANTIATE_TEST_SUITE_P(
    Fates, WitnessTable,
    testing::Values(Case{"refused", fates::refused(), unsent, never_arrived()},
                    Case{"request_lost", fates::request_lost(), never_arrived(), unsent},
                    Case{"reply_lost", fates::reply_lost(), no_reply, refused_no_reply},
                    Case{"reply_lost, delivered", fates::reply_lost(), no_reply, ordinary()},
                    Case{"reset_before", fates::reset_before(),
                         with([](SiteFacts& f) { f.arrived = false, f.saw_reset = true; }),
                         with([](SiteFacts& f) { f.saw_reset = true; })},
                    Case{"reset_after", fates::reset_after(),
                         with([](SiteFacts& f) { f.saw_reset = true; }), no_reply},
                    Case{"late", fates::late(Arrival::after_timeout),
                         with([](SiteFacts& f) { f.arrived_after_giveup = true; }), ordinary()},
                    Case{"late, refused by the engine", fates::late(Arrival::after_retry),
                         with([](SiteFacts& f) {
                             f.arrived_after_giveup = f.refused_by_engine = true;
                             f.applied = f.delivered = false;
                         }),
                         never_arrived()},
                    Case{"duplicated", fates::duplicated(),
                         with([](SiteFacts& f) { f.second_arrival = true; }), ordinary()},
                    Case{"status_before", fates::status_before(500), not_applied, ordinary()},
                    Case{"status_before, not delivered", fates::status_before(500), not_applied,
                         refused_no_reply},
                    Case{"status_after", fates::status_after(500), ordinary(), not_applied},
                    Case{"partial", fates::partial(),
                         with([](SiteFacts& f) { f.left_broken = true; }), ordinary()},
                    Case{"truncated", fates::truncated(),
                         with([](SiteFacts& f) { f.saw_cut_body = true; }), no_reply},
                    Case{"cut_header", fates::cut_header(),
                         with([](SiteFacts& f) { f.saw_cut_header = true; }), no_reply},
                    Case{"stalled", fates::stalled(), with([](SiteFacts& f) { f.stalled = true; }),
                         ordinary()},
                    Case{"slow", fates::slow(5ms),
                         with([](SiteFacts& f) { f.waited_longer = true; }), ordinary()}));

const Fate lost_refusal{Arrival::now, {Answer::Kind::before, 500}, {Reply::Kind::lost, {}}};
const Fate slow_twice{Arrival::twice, {}, {Reply::Kind::slow, 5ms}};
const Fate hung{Arrival::never, {Answer::Kind::none, 0}, {Reply::Kind::stall, {}}};

INSTANTIATE_TEST_SUITE_P(Composed, WitnessTable,
                         testing::Values(Case{"lost refusal", lost_refusal, refused_no_reply,
                                              not_applied},
                                         Case{"twice and slow", slow_twice, with([](SiteFacts& f) {
                                                  f.second_arrival = f.waited_longer = true;
                                              }),
                                              with([](SiteFacts& f) { f.second_arrival = true; })},
                                         Case{"never, hung", hung, with([](SiteFacts& f) {
                                                  f.arrived = f.applied = f.delivered = false;
                                                  f.stalled = true;
                                              }),
                                              never_arrived()}));

SiteFacts struck(std::vector<std::uint32_t> calls) {
    SiteFacts facts = began();
    facts.calls_struck = std::move(calls);
    return facts;
}

const Cancel once{{{Moment::in_flight, ""}}};
const Cancel twice{{{Moment::before, ""}, {Moment::in_flight, ""}}};

INSTANTIATE_TEST_SUITE_P(
    Others, WitnessTable,
    testing::Values(
        Case{"fail", LocalFate{LocalFate::Kind::fail, ErrorKind::timeout},
             with([](SiteFacts& f) { f.local_failed = true; }), ordinary()},
        Case{"delay", Delay{5ms}, with([](SiteFacts& f) { f.waited_longer = true; }), ordinary()},
        Case{"cancel", once, struck({2}), struck({0})},
        Case{"cancel, never came to it", once, struck({1}), struck({})},
        Case{"cancel twice", twice, struck({1, 1}), struck({1, 0})},
        Case{"crash", Crash{}, with([](SiteFacts& f) { f.crashed_alive = true; }), ordinary()},
        Case{"trait", EngineChoice{Trait::oom, {}, {}},
             with([](SiteFacts& f) { f.trait_changed_something = true; }), ordinary()},
        Case{"stream", streams::gap(8, 1), with([](SiteFacts& f) { f.stream_changed = true; }),
             ordinary()},
        Case{"step", steps::kill_child(), with([](SiteFacts& f) { f.step_struck = true; }),
             ordinary()}));

TEST(InertEntries, OneWitnessIsEnoughForAStickyEntry) {
    const SiteName start{"a", "x", Operation::container_start, 1, Aspect::fate};
    const SiteName remove{"a", "x", Operation::container_remove, 1, Aspect::fate};
    const SiteName list{"a", "", Operation::container_list, 1, Aspect::fate};
    const Plan plan({{start, fates::reply_lost(), true},
                     {remove, fates::reply_lost(), false},
                     {list, fates::reply_lost(), false}});
    const std::vector<Taken> taken{{{}, 0}, {{}, 1}, {{}, 0}};
    EXPECT_EQ(
        inert_entries(plan, taken, std::vector{ordinary(), ordinary(), no_reply}),
        (std::vector<std::string>{"a[x]/container_remove#1/fate", "a[-]/container_list#1/fate"}));
    EXPECT_EQ(inert_entries(plan, {}, {}).size(), 3U);
}

}  // namespace
}  // namespace drydock::faults
