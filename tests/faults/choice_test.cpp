#include <drydock/faults/choice.hpp>

#include "faults/generators.hpp"
#include "faults/support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace drydock::faults {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

constexpr auto create = Operation::container_create;
constexpr auto start = Operation::container_start;
constexpr auto exec_start = Operation::exec_start;
constexpr auto guard_step = Operation::guard_step;

Choice read(const Json& json, Aspect aspect = Aspect::fate, Operation operation = create) {
    return choice_from_json(json, aspect, operation);
}

TEST(Choice, ReadsEveryShortFate) {
    EXPECT_EQ(read("refused"), Choice(fates::refused()));
    EXPECT_EQ(read("request_lost"), Choice(fates::request_lost()));
    EXPECT_EQ(read("reply_lost"), Choice(fates::reply_lost()));
    EXPECT_EQ(read("reset_before"), Choice(fates::reset_before()));
    EXPECT_EQ(read("reset_after"), Choice(fates::reset_after()));
    EXPECT_EQ(read("late(after_timeout)"), Choice(fates::late(Arrival::after_timeout)));
    EXPECT_EQ(read("late(after_retry)"), Choice(fates::late(Arrival::after_retry)));
    EXPECT_EQ(read("late(after_remove)"), Choice(fates::late(Arrival::after_remove)));
    EXPECT_EQ(read("duplicated"), Choice(fates::duplicated()));
    EXPECT_EQ(read("status_before(503)"), Choice(fates::status_before(503)));
    EXPECT_EQ(read("status_after(304)"), Choice(fates::status_after(304)));
    EXPECT_EQ(read("partial"), Choice(fates::partial(500)));
    EXPECT_EQ(read("partial(400)"), Choice(fates::partial(400)));
    EXPECT_EQ(read("truncated"), Choice(fates::truncated()));
    EXPECT_EQ(read("cut_header"), Choice(fates::cut_header()));
    EXPECT_EQ(read("stalled"), Choice(fates::stalled()));
    EXPECT_EQ(read("slow(31s)"), Choice(fates::slow(31s)));
}

TEST(Choice, ShortFatesAreTheirAxes) {
    EXPECT_EQ(read({{"arrival", "never"}, {"reply", "not_sent"}}), Choice(fates::refused()));
    EXPECT_EQ(read({{"arrival", "never"}, {"reply", "lost"}}), Choice(fates::request_lost()));
    EXPECT_EQ(read({{"answer", "applied"}, {"reply", "lost"}}), Choice(fates::reply_lost()));
    EXPECT_EQ(read({{"arrival", "twice"}}), Choice(fates::duplicated()));
    EXPECT_EQ(read({{"answer", "after(500)"}}), Choice(fates::status_after(500)));
    EXPECT_EQ(read({{"reply", "slow(5ms)"}}), Choice(fates::slow(5ms)));
    EXPECT_EQ(read({{"answer", "partial"}}), Choice(fates::partial()));
    EXPECT_EQ(read({{"arrival", "after_retry"}, {"reply", "lost"}}),
              Choice(fates::late(Arrival::after_retry)));
}

TEST(Choice, ComposedFatesKeepTheirObjectForm) {
    const Json json{{"arrival", "twice"}, {"answer", "before(409)"}, {"reply", "cut_body"}};
    const Choice choice = read(json);
    EXPECT_EQ(kind_name(choice), "composed");
    EXPECT_EQ(to_json(choice), json);
    const Json absent{{"arrival", "never"}, {"reply", "stall"}};
    EXPECT_EQ(to_json(read(absent)), absent);
}

TEST(Choice, ReadsWhatIsNoFate) {
    EXPECT_EQ(read("31s", Aspect::delay), Choice(Delay{31s}));
    EXPECT_EQ(read("in_flight", Aspect::cancel), Choice(Cancel{{{Moment::in_flight, ""}}}));
    EXPECT_EQ(read("in_flight@main", Aspect::cancel),
              Choice(Cancel{{{Moment::in_flight, "main"}}}));
    EXPECT_EQ(read(Json::array({"before", "in_flight@b"}), Aspect::cancel),
              Choice(Cancel{{{Moment::before, ""}, {Moment::in_flight, "b"}}}));
    EXPECT_EQ(read("with_completion", Aspect::crash), Choice(Crash{Moment::with_completion}));
    EXPECT_EQ(read("oom", Aspect::engine), Choice(EngineChoice{Trait::oom, {}, {}}));
    EXPECT_EQ(read("list_lag(30s)", Aspect::engine),
              Choice(EngineChoice{Trait::list_lag, {}, 30s}));
    EXPECT_EQ(read("stuck(starting)", Aspect::engine),
              Choice(EngineChoice{Trait::stuck, "starting", {}}));
    EXPECT_EQ(read("stuck(starting, 2m)", Aspect::engine),
              Choice(EngineChoice{Trait::stuck, "starting", 2min}));
}

TEST(Choice, ReadsLocalFates) {
    EXPECT_EQ(read("fail(timeout)", Aspect::fate, Operation::bootstrap),
              Choice(LocalFate{LocalFate::Kind::fail, ErrorKind::timeout}));
    EXPECT_EQ(read("disk_full", Aspect::fate, Operation::ledger_put),
              Choice(LocalFate{LocalFate::Kind::disk_full, ErrorKind::ledger}));
}

TEST(Choice, ReadsAndWritesStreamFaults) {
    const std::vector<std::pair<const char*, StreamFault>> all{
        {"eof(0)", streams::eof(0)},
        {"reset(12)", streams::reset(12)},
        {"stall(8)", streams::stall(8)},
        {"split", streams::split(1)},
        {"split(7)", streams::split(7)},
        {"gap(8, 1)", streams::gap(8, 1)},
        {"repeat(9, 9)", streams::repeat(9, 9)},
        {"error_text(5)", streams::error_text(5)}};
    for (const auto& [text, fault] : all) {
        EXPECT_EQ(read(text, Aspect::stream, exec_start), Choice(fault)) << text;
        EXPECT_EQ(to_string(Choice(fault)), text);
    }
    EXPECT_EQ(read("split(1)", Aspect::stream, exec_start), Choice(streams::split()));
    EXPECT_EQ(kind_name(streams::gap(8, 1)), "gap");
}

TEST(Choice, ReadsAndWritesStepFaults) {
    const std::vector<std::pair<const char*, StepFault>> all{
        {"kill_guard", steps::kill_guard()},
        {"kill_child", steps::kill_child()},
        {"kill_child(2s)", steps::kill_child(2s)},
        {"kill_all(1500ms)", steps::kill_all(1500ms)},
        {"slow(5ms)", steps::slow(5ms)}};
    for (const auto& [text, fault] : all) {
        EXPECT_EQ(read(text, Aspect::step, guard_step), Choice(fault)) << text;
        EXPECT_EQ(to_string(Choice(fault)), text);
    }
    EXPECT_EQ(kind_name(steps::kill_all()), "kill_all");
    EXPECT_EQ(kind_name(steps::slow(5ms)), "slow_step");
    EXPECT_EQ(kind_index(steps::slow(5ms)), kind_count - 1);
}

RC_GTEST_PROP(Choice, RoundTrips, ()) {
    const auto aspect = static_cast<Aspect>(*rc::gen::inRange<std::size_t>(0, aspect_count));
    const bool exchange = aspect == Aspect::engine || *rc::gen::arbitrary<bool>();
    const auto operation = aspect == Aspect::stream ? exec_start
                           : aspect == Aspect::step ? guard_step
                           : exchange ? *rc::gen::element(create, start, Operation::container_list)
                                      : *rc::gen::element(Operation::ledger_put,
                                                          Operation::bootstrap, Operation::undo);
    const Choice choice = *any_choice(aspect, operation);
    const Json json = to_json(choice);
    RC_ASSERT(choice_from_json(json, aspect, operation) == choice);
    RC_ASSERT(choice_from_json(Json::parse(json.dump()), aspect, operation) == choice);
}

// Digests stand in reports and capsules: they may not change.
TEST(Choice, DigestIsOfTheFileForm) {
    EXPECT_EQ(digest(read("reply_lost")), digest(read({{"reply", "lost"}})));
    EXPECT_NE(digest(read("reply_lost")), digest(read("request_lost")));
    EXPECT_EQ(digest(read("reply_lost")), 8655497647597536052U);
}

struct Bad {
    Json json;
    Aspect aspect;
    Operation operation;
    const char* error;
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.json.dump(); }

class BadChoice : public testing::TestWithParam<Bad> {};

TEST_P(BadChoice, SaysWhatAndWhere) {
    const auto& [json, aspect, operation, error] = GetParam();
    EXPECT_EQ(error_of([&, &j = json, a = aspect, o = operation] {
                  static_cast<void>(choice_from_json(j, a, o));
              }),
              error);
}

INSTANTIATE_TEST_SUITE_P(
    Words, BadChoice,
    testing::Values(
        Bad{"replylost", Aspect::fate, create,
            "|unknown fate \"replylost\"; did you mean \"reply_lost\"?"},
        Bad{"composed", Aspect::fate, create,
            "|unknown fate \"composed\" (known: refused, request_lost, reply_lost, reset_before, "
            "reset_after, late, duplicated, status_before, status_after, partial, truncated, "
            "cut_header, stalled, slow)"},
        Bad{"in_flight", Aspect::fate, create,
            "|unknown fate \"in_flight\"; in_flight is a moment, its site ends in /cancel or "
            "/crash"},
        Bad{"oom", Aspect::fate, create,
            "|unknown fate \"oom\"; oom is an engine choice, its site ends in /engine"},
        Bad{"reply_lost", Aspect::crash, create,
            "|unknown moment \"reply_lost\"; reply_lost is the fate of an exchange, its site ends "
            "in /fate"},
        Bad{"reply_lost", Aspect::delay, create,
            "|unknown duration \"reply_lost\"; reply_lost is the fate of an exchange, its site "
            "ends in /fate"},
        Bad{"-3s", Aspect::delay, create, "|duration \"-3s\" is negative"},
        Bad{"0s", Aspect::delay, create, "|a delay must be longer than 0s"},
        Bad{"late", Aspect::fate, create, "|late needs an argument, as in late(after_timeout)"},
        Bad{"late(after_lunch)", Aspect::fate, create,
            "|unknown trigger \"after_lunch\" (known: after_timeout, after_retry, after_remove)"},
        Bad{"refused(1)", Aspect::fate, create, "|refused takes no arguments"},
        Bad{"partial(500, 2)", Aspect::fate, create,
            "|partial has too many arguments; write it as in partial(400)"},
        Bad{"status_before", Aspect::fate, create,
            "|status_before needs an argument, as in status_before(500)"},
        Bad{"status_before(5xx)", Aspect::fate, create, "|\"5xx\" is not an HTTP status"},
        Bad{"status_before(700)", Aspect::fate, create, "|status 700 is not one of 300 to 599"},
        Bad{"status_before(204)", Aspect::fate, create,
            "|status 204 is not one of 300 to 599; a yes without effect is the engine choice "
            "ack_without_effect"},
        Bad{"partial(304)", Aspect::fate, create, "|status 304 is not one of 400 to 599"},
        Bad{"slow(0s)", Aspect::fate, create, "|slow needs a duration longer than 0s"},
        Bad{"slow(1s", Aspect::fate, create, "|\"slow(1s\" does not end in its one ')'"},
        Bad{"slow(1s))", Aspect::fate, create, "|\"slow(1s))\" does not end in its one ')'"},
        Bad{"slow()", Aspect::fate, create, "|\"slow()\" has an empty argument"},
        Bad{"fail(sadness)", Aspect::fate, Operation::undo,
            "|unknown error kind \"sadness\" (known: cancelled, deadline, connect, reset, timeout, "
            "pool_timeout, protocol, unauthorized, forbidden, not_found, conflict, invalid, "
            "rate_limited, quota, unavailable, provisioning, internal, teardown, ledger)"},
        Bad{"in_flight@The Boss", Aspect::cancel, create,
            "|\"The Boss\" is not an actor's name ([a-z0-9][a-z0-9_.-]*)"},
        Bad{"before@", Aspect::cancel, create,
            "|\"\" is not an actor's name ([a-z0-9][a-z0-9_.-]*)"},
        Bad{"stuck", Aspect::engine, create,
            "|stuck needs an argument, as in stuck(starting) or stuck(starting, 30s)"},
        Bad{"stuck(Starting)", Aspect::engine, create,
            "|\"Starting\" is not a state's name ([a-z_]+)"},
        Bad{"oom(0s)", Aspect::engine, create, "|an engine choice lasts longer than 0s"}));

INSTANTIATE_TEST_SUITE_P(
    Sites, BadChoice,
    testing::Values(
        Bad{"partial", Aspect::fate, start,
            "|partial fits container_create only, not container_start"},
        Bad{"fail(timeout)", Aspect::fate, start,
            "|fail is the fate of a local operation, and container_start is an exchange"},
        Bad{"fail(timeout)", Aspect::fate, Operation::backoff,
            "|backoff is a wait and cannot fail"},
        Bad{"reply_lost", Aspect::fate, Operation::bootstrap,
            "|reply_lost is the fate of an exchange, and bootstrap is local"},
        Bad{"disk_full", Aspect::fate, Operation::bootstrap,
            "|disk_full fits ledger_put only, not bootstrap"},
        Bad{"1s", Aspect::delay, Operation::join,
            "|join lasts as long as what it waits for; delay that"},
        Bad{"oom", Aspect::engine, Operation::backoff,
            "|an engine choice takes effect when a call reaches the engine, and backoff is "
            "local"}));

INSTANTIATE_TEST_SUITE_P(
    Streams, BadChoice,
    testing::Values(
        Bad{"cut", Aspect::stream, exec_start,
            "|unknown stream fault \"cut\" (known: eof, reset, stall, split, gap, repeat, "
            "error_text)"},
        Bad{"gap(1, 1)", Aspect::fate, exec_start,
            "|unknown fate \"gap\"; gap is a fault of a stream, its site ends in /stream"},
        Bad{"reply_lost", Aspect::stream, exec_start,
            "|unknown stream fault \"reply_lost\"; reply_lost is the fate of an exchange, its site "
            "ends in /fate"},
        Bad{"eof", Aspect::stream, exec_start, "|eof needs an argument, as in eof(100)"},
        Bad{"eof(1, 2)", Aspect::stream, exec_start,
            "|eof has too many arguments; write it as in eof(100)"},
        Bad{"eof(-1)", Aspect::stream, exec_start, "|\"-1\" is not a number of bytes"},
        Bad{"gap(1)", Aspect::stream, exec_start, "|gap needs 2 arguments, as in gap(100, 8)"},
        Bad{"gap(1, 0)", Aspect::stream, exec_start, "|gap needs at least 1 byte"},
        Bad{"split(0)", Aspect::stream, exec_start, "|split needs at least 1 byte"},
        Bad{"repeat(3, 4)", Aspect::stream, exec_start, "|after 3 bytes there are no 4 to repeat"},
        Bad{"stall(1073741825)", Aspect::stream, exec_start,
            "|stall counts at most 1073741824 bytes"},
        Bad{7, Aspect::stream, exec_start, "|a choice for aspect stream is a string"},
        Bad{"eof(1)", Aspect::stream, start,
            "|eof is the fault of a stream, and container_start opens none"},
        Bad{"duplicated", Aspect::fate, exec_start,
            "|exec_start may open a stream, and a stream is not opened twice"},
        Bad{"reply_lost", Aspect::fate, Operation::exec_read,
            "|reply_lost is the fate of an exchange, and exec_read is local"},
        Bad{"1s", Aspect::delay, Operation::exec_read,
            "|exec_read lasts as long as what it waits for; delay that"}));

INSTANTIATE_TEST_SUITE_P(
    Steps, BadChoice,
    testing::Values(
        Bad{"kill", Aspect::step, guard_step,
            "|unknown step fault \"kill\" (known: kill_guard, kill_child, kill_all, slow)"},
        Bad{"kill_child", Aspect::fate, exec_start,
            "|unknown fate \"kill_child\"; kill_child is a fault of a guard's step, its site ends "
            "in /step"},
        Bad{"slow", Aspect::step, guard_step, "|slow needs an argument, as in slow(2s)"},
        Bad{"kill_all(1s, 2s)", Aspect::step, guard_step,
            "|kill_all has too many arguments; write it as in kill_all(2s)"},
        Bad{"slow(0s)", Aspect::step, guard_step, "|a slow step takes longer than 0s"},
        Bad{"kill_guard", Aspect::step, exec_start,
            "|kill_guard is the fault of a guard's step, which exec_start is not"},
        Bad{"before", Aspect::crash, guard_step,
            "|guard_step is the sandbox's own, and has the aspect step alone, not crash"}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, BadChoice,
    testing::Values(
        Bad{7, Aspect::fate, create, "|a choice for aspect fate is a string or an object"},
        Bad{Json::array({"before"}), Aspect::crash, create,
            "|a choice for aspect crash is a string"},
        Bad{Json::array({"before", 3}), Aspect::cancel, create, "/1|a moment is a string"},
        Bad{Json::array({"before", "later"}), Aspect::cancel, create,
            "/1|unknown moment \"later\" (known: before, in_flight, with_completion)"},
        Bad{Json::array(), Aspect::cancel, create, "|a cancel has 1 to 64 moments"},
        Bad{Json::array({"in_flight", "before"}), Aspect::cancel, create,
            "|moments stand in the order in which they fall: before, in_flight, with_completion"},
        Bad{{{"arival", "now"}},
            Aspect::fate,
            create,
            "/arival|unknown field \"arival\" of a fate; did you mean \"arrival\"?"},
        Bad{{{"arrival", 5}}, Aspect::fate, create, "/arrival|arrival is not a string"},
        Bad{{{"reply", "los"}},
            Aspect::fate,
            create,
            "/reply|unknown reply \"los\"; did you mean \"lost\"?"}));

constexpr const char* not_applied =
    "|a request that never arrives cannot be applied: leave answer out";

INSTANTIATE_TEST_SUITE_P(
    Axes, BadChoice,
    testing::Values(
        Bad{Json::object(), Aspect::fate, create, "|this is what happens without a choice"},
        Bad{{{"arrival", "never"}, {"answer", "applied"}, {"reply", "lost"}},
            Aspect::fate,
            create,
            not_applied},
        Bad{{{"arrival", "never"}, {"answer", "after(500)"}}, Aspect::fate, create, not_applied},
        Bad{{{"arrival", "never"}, {"answer", "partial"}}, Aspect::fate, create, not_applied},
        Bad{{{"arrival", "never"}, {"answer", "before(500)"}, {"reply", "not_sent"}},
            Aspect::fate,
            create,
            "|a request that was not sent has no answer: leave answer out"},
        Bad{{{"arrival", "never"}},
            Aspect::fate,
            create,
            "|a request that never arrives has no such reply: use lost, reset, stall or not_sent, "
            "or an answer before(STATUS)"},
        Bad{{{"arrival", "after_timeout"}},
            Aspect::fate,
            create,
            "|a request that arrives when the client has given up has no such reply: use lost, "
            "reset or stall"},
        Bad{{{"arrival", "now"}, {"reply", "not_sent"}},
            Aspect::fate,
            create,
            "|a request that was not sent never arrives: arrival must be never"}));

TEST(Choice, FitsOnlyItsAspect) {
    EXPECT_EQ(why_unfit(fates::reply_lost(), Aspect::cancel, create),
              "reply_lost belongs to a site ending in /fate, not /cancel");
    EXPECT_EQ(why_unfit(Crash{}, Aspect::engine, create),
              "crash belongs to a site ending in /crash, not /engine");
    EXPECT_EQ(why_unfit(EngineChoice{Trait::oom, "starting", {}}, Aspect::engine, create),
              "oom has no state");
    EXPECT_EQ(why_unfit(EngineChoice{Trait::stuck, {}, {}}, Aspect::engine, create),
              "stuck needs a state, as in stuck(starting)");
    EXPECT_EQ(why_unfit(Fate{Arrival::now, {Answer::Kind::none, 0}, {Reply::Kind::lost, {}}},
                        Aspect::fate, create),
              "a request that arrives is answered: answer is applied, before, after or partial");
}

}  // namespace
}  // namespace drydock::faults
