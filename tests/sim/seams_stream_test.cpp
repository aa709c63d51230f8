// Streams between a program and its engine: what each fault makes of the bytes, and what a
// cancellation, a crash or a limit does at the opening and in the middle.
#include <drydock/faults/plan_chooser.hpp>
#include <drydock/faults/witness.hpp>
#include <drydock/sim/sim_transport.hpp>
#include <drydock/sim/simulation.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace drydock::sim::test {
namespace {

using namespace std::chrono_literals;
using Cause = TransportFailure::Cause;
using testing::ElementsAre;
using testing::StartsWith;

/// Something that the toy engine writes, so long after the request.
struct Burst {
    Duration at{};
    std::string bytes;
};

/// What the toy engine does with every request.
struct Script {
    std::vector<Burst> bursts{{10ms, "abcdef"}, {20ms, "ghij"}};
    std::optional<Duration> ends_at{30ms};
    int refuses_with = 0;
    bool answers_whole = false;
};

Response answer(int status, std::string body = {}) {
    return {.status = status, .headers = {}, .body = std::move(body)};
}

/// Streams what its script says; the request's effect is that it was begun.
class ToyModel final : public BackendModel {
public:
    ToyModel(World& world, Script script) : world_(world), script_(std::move(script)) {}

    void handle(const Request&, Intervention intervention,
                std::shared_ptr<Responder> responder) override {
        if (intervention.fate != nullptr &&
            intervention.fate->answer.kind == faults::Answer::Kind::before) {
            return responder->reply(answer(intervention.fate->answer.status));
        }
        if (script_.refuses_with != 0) {
            return responder->reply(answer(script_.refuses_with, "no"));
        }
        ++begun;
        responder->applied();
        if (script_.answers_whole) return responder->reply(answer(200, "whole"));
        StreamClient client;
        client.left = [this] { left_at = world_.now(); };
        const auto stream = responder->stream(answer(101), std::move(client));
        for (const Burst& burst : script_.bursts) {
            world_.call_after(burst.at, [stream, bytes = burst.bytes] { stream->send(bytes); });
        }
        if (script_.ends_at) world_.call_after(*script_.ends_at, [stream] { stream->end(); });
    }
    void stop_faults() override {}
    std::span<const SandboxTruth> sandboxes() const override { return {}; }
    std::uint32_t addressed_by(const Request&) const override { return 0; }
    const SandboxTruth* find(std::string_view) const override { return nullptr; }

    int begun = 0;
    std::optional<Time> left_at;

private:
    World& world_;
    Script script_;
};

/// What a client saw of one stream.
struct Seen {
    std::optional<TransportFailure> not_opened;
    std::optional<Response> head;
    Time opened{};
    std::vector<std::string> pieces;
    std::optional<TransportFailure> failure;
    std::optional<Time> ended;
    bool is_stream = false;

    std::string text() const {
        std::string all;
        for (const std::string& piece : pieces)
            all += piece;
        return all;
    }
};

struct Choose {
    std::string at;
    std::string choice;
};

constexpr Duration read_limit = 5s;

/// One program that opens one stream and reads it to its end.
class StreamBed {
public:
    explicit StreamBed(const std::vector<Choose>& choices = {}, Script script = {})
        : chooser_(plan_of(choices), names_),
          simulation_(chooser_, names_,
                      {.name = "toy",
                       .about = "",
                       .capabilities = {},
                       .make_model =
                           [this, script](World& world) {
                               auto made = std::make_unique<ToyModel>(world, script);
                               model_ = made.get();
                               return made;
                           }},
                      {}),
          program_(simulation_.add_program("runner")) {
        program_.strike = [this](std::uint32_t, std::uint32_t, std::string_view) {
            signal.emit(asio::cancellation_type::terminal);
            return 1U;
        };
        program_.start();
        transport_ = std::make_unique<SimTransport>(program_);
    }
    ~StreamBed() { program_.end(); }

    void begin() {
        asio::co_spawn(program_.process()->get_executor(), open_and_read(),
                       asio::bind_cancellation_slot(signal.slot(), [](std::exception_ptr thrown) {
                           if (thrown) std::rethrow_exception(thrown);
                       }));
    }
    Seen run() {
        begin();
        world().run();
        return seen;
    }
    void pass(Duration duration) { world().run_until(world().now() + duration); }

    World& world() { return simulation_.world(); }
    Simulation& simulation() { return simulation_; }
    Program& program() { return program_; }
    ToyModel& model() { return *model_; }
    std::uint64_t digest() { return world().trace().digest(); }
    std::vector<std::string> inert() {
        return faults::inert_entries(chooser_.plan(), chooser_.taken(),
                                     simulation_.choices().facts());
    }

    Seen seen;
    bool keeps_reading = false;
    asio::cancellation_signal signal;

private:
    static faults::Plan plan_of(const std::vector<Choose>& choices) {
        std::vector<faults::PlanEntry> entries;
        for (const Choose& each : choices) {
            const auto site = faults::SiteName::parse(each.at);
            entries.push_back(
                {.at = site,
                 .choose = faults::choice_from_text(each.choice, site.aspect, site.operation)});
        }
        return faults::Plan(std::move(entries));
    }

    awaitable<void> open_and_read() {
        co_await asio::this_coro::throw_if_cancelled(false);
        Request request;
        request.method = Method::post;
        request.target = "/exec/1/start";
        const Tag tag{Operation::exec_start, "k"};
        Opened opened = co_await transport_->open(tag, std::move(request), 30s, Interrupt::allowed);
        seen.opened = world().now();
        if (!opened) {
            seen.not_opened = opened.error();
            co_return;
        }
        seen.head = opened->head;
        seen.is_stream = opened->stream != nullptr;
        if (!seen.is_stream) co_return;
        bool goes_on = true;
        while (goes_on) {
            goes_on = co_await read_once(*opened->stream);
        }
        if (keeps_reading) co_await read_once(*opened->stream);
    }

    awaitable<bool> read_once(ByteStream& stream) {
        const Tag tag{Operation::exec_read, "k"};
        Received received = co_await stream.read(tag, read_limit, Interrupt::allowed);
        seen.ended = world().now();
        if (!received) {
            seen.failure = received.error();
            co_return false;
        }
        const bool is_end = received->empty();
        if (!is_end) seen.pieces.push_back(std::move(*received));
        co_return !is_end;
    }

    faults::Names names_;
    faults::PlanChooser chooser_;
    ToyModel* model_ = nullptr;
    Simulation simulation_;
    Program& program_;
    std::unique_ptr<SimTransport> transport_;
};

const std::string opening = "runner[k]/exec_start#1/";

TEST(SeamsStream, TheHeadComesFirstAndTheBytesOneLatencyAfterTheyLeft) {
    StreamBed bed;
    const Seen seen = bed.run();
    EXPECT_EQ(seen.head->status, 101);
    EXPECT_EQ(seen.opened, Time{2ms});
    EXPECT_THAT(seen.pieces, ElementsAre("abcdef", "ghij"));
    EXPECT_EQ(seen.ended, Time{32ms});
    EXPECT_FALSE(seen.failure);
    EXPECT_FALSE(bed.model().left_at) << "the engine had ended it";
    EXPECT_TRUE(bed.world().idle());
}

TEST(SeamsStream, EachWriteIsReadAsItComes) {
    StreamBed bed({}, {.bursts = {{0ms, "ab"}, {0ms, "cd"}, {1ms, "ef"}}});
    const Seen seen = bed.run();
    EXPECT_THAT(seen.pieces, ElementsAre("ab", "cd", "ef"));
}

TEST(SeamsStream, ARefusalHasItsBodyInTheHead) {
    StreamBed bed({}, {.refuses_with = 409});
    const Seen seen = bed.run();
    EXPECT_EQ(seen.head->status, 409);
    EXPECT_EQ(seen.head->body, "no");
    EXPECT_FALSE(seen.is_stream);
}

TEST(SeamsStream, AWholeReplyIsAStreamThatEnds) {
    StreamBed bed({}, {.answers_whole = true});
    const Seen seen = bed.run();
    EXPECT_EQ(seen.head->body, "");
    EXPECT_THAT(seen.pieces, ElementsAre("whole"));
    EXPECT_FALSE(seen.failure);
}

struct Fault {
    const char* choice;
    const char* text;  ///< what is read
    std::optional<Cause> failure;
    Time ended;
    bool is_inert;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.choice; }

class StreamFaults : public testing::TestWithParam<Fault> {};

// The engine writes "abcdef" after 11 ms, "ghij" after 21 ms, and ends after 31 ms.
TEST_P(StreamFaults, ShowAsSuch) {
    const Fault& fault = GetParam();
    StreamBed bed({{opening + "stream", fault.choice}});
    const Seen seen = bed.run();
    EXPECT_EQ(seen.text(), fault.text);
    ASSERT_EQ(seen.failure.has_value(), fault.failure.has_value());
    if (fault.failure) {
        EXPECT_EQ(seen.failure->cause, *fault.failure);
        EXPECT_EQ(seen.failure->progress, Progress::reply_begun);
        EXPECT_EQ(seen.failure->status, 101);
    }
    EXPECT_EQ(seen.ended, fault.ended);
    EXPECT_EQ(!bed.inert().empty(), fault.is_inert);
    EXPECT_TRUE(bed.world().idle());
}

constexpr Time with_first{12ms};
constexpr Time with_second{22ms};
constexpr Time at_end{32ms};

INSTANTIATE_TEST_SUITE_P(
    All, StreamFaults,
    testing::Values(Fault{"eof(0)", "", {}, Time{2ms}, false},
                    Fault{"eof(4)", "abcd", {}, with_first, false},
                    Fault{"eof(6)", "abcdef", {}, with_first, false},
                    Fault{"eof(10)", "abcdefghij", {}, with_second, false},
                    Fault{"eof(11)", "abcdefghij", {}, at_end, true},
                    Fault{"reset(0)", "", Cause::reset, Time{2ms}, false},
                    Fault{"reset(7)", "abcdefg", Cause::reset, with_second, false},
                    Fault{"reset(11)", "abcdefghij", {}, at_end, true},
                    Fault{"stall(7)", "abcdefg", Cause::timeout, with_second + read_limit, false},
                    Fault{"stall(10)", "abcdefghij", Cause::timeout, with_second + read_limit,
                          false},
                    Fault{"stall(11)", "abcdefghij", {}, at_end, true},
                    Fault{"split", "abcdefghij", {}, at_end, false},
                    Fault{"split(6)", "abcdefghij", {}, at_end, true},
                    Fault{"gap(1, 2)", "adefghij", {}, at_end, false},
                    Fault{"gap(5, 2)", "abcdehij", {}, at_end, false},
                    Fault{"gap(8, 100)", "abcdefgh", {}, at_end, false},
                    Fault{"gap(10, 1)", "abcdefghij", {}, at_end, true},
                    Fault{"repeat(2, 2)", "ababcdefghij", {}, at_end, false},
                    Fault{"repeat(7, 3)", "abcdefgefghij", {}, at_end, false},
                    Fault{"repeat(11, 3)", "abcdefghij", {}, at_end, true},
                    Fault{"error_text(7)",
                          "abcdefgError: the connection to the runtime was lost\r\n",
                          {},
                          with_second,
                          false},
                    Fault{"error_text(11)", "abcdefghij", {}, at_end, true}));

TEST(SeamsStream, AnEndWhereTheEngineEndsAnywayIsInert) {
    StreamBed bed({{opening + "stream", "eof(4)"}}, {.bursts = {{10ms, "abcd"}}, .ends_at = 10ms});
    EXPECT_EQ(bed.run().text(), "abcd");
    EXPECT_EQ(bed.inert().size(), 1U);
}

TEST(SeamsStream, AStallOfAQuietEngineIsInert) {
    StreamBed bed({{opening + "stream", "stall(4)"}},
                  {.bursts = {{10ms, "abcd"}, {1min, "late"}}, .ends_at = {}});
    EXPECT_EQ(bed.run().failure->cause, Cause::timeout);
    EXPECT_EQ(bed.inert().size(), 1U) << "it would have waited in vain anyway";
}

TEST(SeamsStream, ASplitStreamComesByteByByte) {
    StreamBed bed({{opening + "stream", "split"}}, {.bursts = {{10ms, "abc"}}});
    EXPECT_THAT(bed.run().pieces, ElementsAre("a", "b", "c"));
}

TEST(SeamsStream, AFailureAndTheEndStay) {
    for (const char* fault : {"reset(4)", "eof(4)", "stall(4)"}) {
        StreamBed bed({{opening + "stream", fault}});
        bed.keeps_reading = true;
        const Seen seen = bed.run();
        EXPECT_EQ(seen.text(), "abcd") << fault;
        EXPECT_LT(*seen.ended, Time{6s}) << fault << ": the second end came at once";
    }
}

TEST(SeamsStream, FaultsThatHaveNotStruckStopWithTheOthers) {
    StreamBed bed({{opening + "stream", "reset(7)"}});
    bed.begin();
    bed.pass(15ms);
    bed.simulation().stop_faults();
    bed.world().run();
    EXPECT_EQ(bed.seen.text(), "abcdefghij");
    EXPECT_FALSE(bed.seen.failure);
}

struct Opening {
    const char* fate;
    std::optional<Cause> cause;  ///< of the opening
    Progress progress;
    Duration opened;
    int begun;  ///< in the end
};

TEST(SeamsStream, FatesApplyUpToTheHead) {
    const std::vector<Opening> table{
        {"refused", Cause::connect, Progress::not_sent, 1ms, 0},
        {"request_lost", Cause::timeout, Progress::sent, 30s, 0},
        {"reply_lost", Cause::timeout, Progress::sent, 30s, 1},
        {"reset_after", Cause::reset, Progress::sent, 2ms, 1},
        {"cut_header", Cause::reset, Progress::reply_begun, 2ms, 1},
        {"stalled", Cause::timeout, Progress::reply_begun, 30s, 1},
        {"late(after_timeout)", Cause::timeout, Progress::sent, 30s, 1},
        {"slow(5s)", {}, Progress::sent, 5s + 2ms, 1},
        {"truncated", {}, Progress::sent, 2ms, 1}};
    for (const Opening& expected : table) {
        StreamBed bed({{opening + "fate", expected.fate}});
        const Seen seen = bed.run();
        EXPECT_EQ(seen.opened.time_since_epoch(), expected.opened) << expected.fate;
        EXPECT_EQ(bed.model().begun, expected.begun) << expected.fate;
        EXPECT_THAT(bed.inert(), ElementsAre()) << expected.fate;
        ASSERT_EQ(seen.not_opened.has_value(), expected.cause.has_value()) << expected.fate;
        if (!expected.cause) continue;
        EXPECT_EQ(seen.not_opened->cause, *expected.cause) << expected.fate;
        EXPECT_EQ(seen.not_opened->progress, expected.progress) << expected.fate;
    }
}

TEST(SeamsStream, ATruncatedReplyBreaksRightAfterItsHead) {
    StreamBed bed({{opening + "fate", "truncated"}});
    const Seen seen = bed.run();
    EXPECT_EQ(seen.head->status, 101);
    EXPECT_EQ(seen.text(), "");
    EXPECT_EQ(seen.failure->cause, Cause::reset);
}

TEST(SeamsStream, BehindASlowHeadTheBytesWait) {
    StreamBed bed({{opening + "fate", "slow(1s)"}});
    const Seen seen = bed.run();
    EXPECT_THAT(seen.pieces, ElementsAre("abcdefghij"));
    EXPECT_EQ(seen.ended, Time{1s + 2ms});
}

TEST(SeamsStream, AnAnsweredFateRefuses) {
    StreamBed bed({{opening + "fate", "status_before(503)"}});
    const Seen seen = bed.run();
    EXPECT_EQ(seen.head->status, 503);
    EXPECT_FALSE(seen.is_stream);
    EXPECT_EQ(bed.model().begun, 0);
}

TEST(SeamsStream, NobodyListensToALateOne) {
    StreamBed bed({{opening + "fate", "late(after_timeout)"}});
    bed.run();
    EXPECT_EQ(bed.model().begun, 1);
    EXPECT_EQ(bed.model().left_at, Time{30s + 2ms}) << "as soon as it begins to answer";
}

struct Cancelled {
    const char* at;
    const char* moment;
    std::optional<Time> opened_not;  ///< when the opening failed
    const char* text;
    bool fails;
    int begun;
};

void PrintTo(const Cancelled& cancelled, std::ostream* out) {
    *out << cancelled.at << " " << cancelled.moment;
}

class StreamCancels : public testing::TestWithParam<Cancelled> {};

TEST_P(StreamCancels, ShowAsSuch) {
    const Cancelled& expected = GetParam();
    StreamBed bed({{std::string("runner[k]/") + expected.at + "/cancel", expected.moment}});
    const Seen seen = bed.run();
    ASSERT_EQ(seen.not_opened.has_value(), expected.opened_not.has_value());
    if (expected.opened_not) {
        EXPECT_EQ(seen.not_opened->cause, Cause::cancelled);
        EXPECT_EQ(seen.opened, *expected.opened_not);
    }
    EXPECT_EQ(seen.text(), expected.text);
    ASSERT_EQ(seen.failure.has_value(), expected.fails);
    if (expected.fails) EXPECT_EQ(seen.failure->cause, Cause::cancelled);
    EXPECT_EQ(bed.model().begun, expected.begun);
    EXPECT_THAT(bed.inert(), ElementsAre());
    EXPECT_EQ(bed.model().left_at.has_value(), expected.begun == 1 && expected.fails)
        << "a stream that nobody reads is closed";
}

INSTANTIATE_TEST_SUITE_P(
    All, StreamCancels,
    testing::Values(Cancelled{"exec_start#1", "before", Time{}, "", false, 0},
                    Cancelled{"exec_start#1", "with_completion", {}, "abcdefghij", false, 1},
                    Cancelled{"exec_read#1", "before", {}, "", true, 1},
                    Cancelled{"exec_read#1", "in_flight", {}, "", true, 1},
                    Cancelled{"exec_read#2", "in_flight", {}, "abcdef", true, 1},
                    Cancelled{"exec_read#2", "with_completion", {}, "abcdefghij", false, 1}));

TEST(SeamsStream, AnOpeningCancelledInFlightGoesOnAtTheEngine) {
    StreamBed bed({{opening + "cancel", "in_flight"}});
    const Seen seen = bed.run();
    EXPECT_EQ(seen.not_opened->cause, Cause::cancelled);
    EXPECT_EQ(seen.not_opened->progress, Progress::sent);
    EXPECT_EQ(bed.model().begun, 1);
    EXPECT_EQ(bed.model().left_at, Time{2ms});
}

TEST(SeamsStream, ACrashClosesWhatTheProgramHadOpen) {
    for (const char* moment : {"before", "in_flight", "with_completion"}) {
        StreamBed bed({{"runner[k]/exec_read#2/crash", moment}});
        const Seen seen = bed.run();
        EXPECT_FALSE(bed.program().is_alive()) << moment;
        EXPECT_EQ(seen.text(), "abcdef") << moment;
        EXPECT_TRUE(bed.model().left_at) << moment;
        EXPECT_THAT(bed.inert(), ElementsAre()) << moment;
    }
}

TEST(SeamsStream, ACrashWhileItIsOpenedClosesItTooWhenItBegins) {
    StreamBed bed({{opening + "crash", "in_flight"}});
    bed.run();
    EXPECT_EQ(bed.model().begun, 1);
    EXPECT_EQ(bed.model().left_at, Time{2ms});
}

TEST(SeamsStream, ACrashFromOutsideClosesAStreamThatWasJustOpened) {
    StreamBed bed({}, {.bursts = {}, .ends_at = {}});
    bed.begin();
    bed.pass(2ms);
    bed.program().crash();
    bed.world().run();
    EXPECT_EQ(bed.model().left_at, Time{3ms});
}

TEST(SeamsStream, AStreamThatNeverEndsLetsTheWorldEnd) {
    auto bed =
        std::make_unique<StreamBed>(std::vector<Choose>{}, Script{.bursts = {}, .ends_at = {}});
    bed->begin();
    bed->pass(1s);
    EXPECT_TRUE(bed->seen.is_stream);
    bed.reset();  // leaks show under the address sanitizer
}

TEST(SeamsStream, TheSamePlanGivesTheSameDigest) {
    const auto digest_under = [](const std::vector<Choose>& choices) {
        StreamBed bed(choices);
        bed.run();
        return bed.digest();
    };
    const std::vector<Choose> gap{{opening + "stream", "gap(1, 2)"}};
    EXPECT_EQ(digest_under(gap), digest_under(gap));
    EXPECT_NE(digest_under(gap), digest_under({}));
    EXPECT_EQ(digest_under({{"runner[k]/exec_read#2/crash", "in_flight"}}),
              digest_under({{"runner[k]/exec_read#2/crash", "in_flight"}}));
}

}  // namespace
}  // namespace drydock::sim::test
