#include "scenarios/format_support.hpp"

#include <gtest/gtest.h>

namespace drydock::scenarios {
namespace {

using Json = nlohmann::json;
using Pointer = Json::json_pointer;

/// A change to the full document, and what reading then says.
struct Bad {
    const char* at;
    Json value;
    const char* error;
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.at << " = " << bad.value.dump(); }

class BadScenario : public testing::TestWithParam<Bad> {};

TEST_P(BadScenario, SaysFilePlaceAndCause) {
    Json document = full_document();
    document[Pointer(GetParam().at)] = GetParam().value;
    EXPECT_EQ(error_in(document.dump()), std::string("a.json: ") + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Root, BadScenario,
    testing::Values(
        Bad{"/schema", "drydock.scenario/2",
            "/schema: \"drydock.scenario/2\" is not \"drydock.scenario/1\""},
        Bad{"/schema", 1, "/schema: not a string"},
        Bad{"/proceses", 1, "/proceses: unknown field \"proceses\"; did you mean \"processes\"?"},
        Bad{"/a~1b", 1, "/a~1b: unknown field \"a/b\""},
        Bad{"/name", "a b", "/name: \"a b\" is not a name ([A-Za-z0-9][A-Za-z0-9_.-]*)"},
        Bad{"/name", std::string(129, 'x'), "/name: is longer than 128 bytes"},
        Bad{"/about", 7, "/about: not a string"},
        Bad{"/backend", "docker", "/backend: not an object"},
        Bad{"/backend/kind", "dokcer",
            "/backend/kind: unknown backend \"dokcer\"; did you mean \"docker\"? (known: docker, "
            "daytona)"},
        Bad{"/backend/kind", Json::array({"docker", "docker"}),
            "/backend/kind/1: \"docker\" stands here twice"},
        Bad{"/backend/kind", Json::array(), "/backend/kind: has 0 elements; it needs at least 1"},
        Bad{"/backend/traits", Json::object(), "/backend/traits: unknown field \"traits\""},
        Bad{"/found/digest", "0123456789ABCDEF",
            "/found/digest: is not sixteen hexadecimal digits (0-9a-f)"},
        Bad{"/found", Json{{"client", "a"}}, "/found: no field \"invariant\""}));

INSTANTIATE_TEST_SUITE_P(
    Client, BadScenario,
    testing::Values(
        Bad{"/client/request_timeout", "-2s",
            "/client/request_timeout: duration \"-2s\" is negative"},
        Bad{"/client/request_timeout", "0s", "/client/request_timeout: must be longer than 0s"},
        Bad{"/client/request_timeout", 30,
            "/client/request_timeout: not a duration; write it as text, as in \"2s\""},
        Bad{"/client/settle", std::string(65, '0') + "s",
            "/client/settle: is longer than 64 bytes"},
        Bad{"/client/attempts", 0, "/client/attempts: 0 is out of range (1 to 1000)"},
        Bad{"/client/attempts", -1, "/client/attempts: -1 is out of range (1 to 1000)"},
        Bad{"/client/attempts", 18446744073709551615U,
            "/client/attempts: 18446744073709551615 is out of range (1 to 1000)"},
        Bad{"/client/attempts", 3.5, "/client/attempts: is not a whole number"},
        Bad{"/client/attempts", "3", "/client/attempts: is not a whole number"},
        Bad{"/client/backof", "2s",
            "/client/backof: unknown field \"backof\"; did you mean \"backoff\"?"},
        Bad{"/client/backoff", 2,
            "/client/backoff: a back-off is a duration, a list of durations, or an object with "
            "base"},
        Bad{"/client/backoff", Json::array({"1s", "2"}),
            "/client/backoff/1: duration \"2\" has a number without a unit (h, m, s, ms, us, ns)"},
        Bad{"/client/backoff", Json::object(), "/client/backoff: no field \"base\""},
        Bad{"/client/backoff/factor", 101,
            "/client/backoff/factor: 101 is out of range (1 to 100)"},
        Bad{"/client/backoff/jitter", 1.5, "/client/backoff/jitter: is not a number from 0 to 1"}));

INSTANTIATE_TEST_SUITE_P(
    Processes, BadScenario,
    testing::Values(Bad{"/processes", Json::array(),
                        "/processes: has 0 elements; it needs at least 1"},
                    Bad{"/processes", 3, "/processes: not a list"},
                    Bad{"/processes/1/name", "runner",
                        "/processes/1/name: there already is a process named \"runner\""},
                    Bad{"/processes/0/name", "Runner",
                        "/processes/0/name: \"Runner\" is not a name ([a-z0-9][a-z0-9_.-]*)"},
                    Bad{"/processes/0/actors/1/name", "main",
                        "/processes/0/actors/1/name: there already is an actor named \"main\""},
                    Bad{"/processes/0/actors", Json::array(),
                        "/processes/0/actors: has 0 elements; it needs at least 1"},
                    Bad{"/processes/0/actor", 1,
                        "/processes/0/actor: unknown field \"actor\"; did you mean \"actors\"?"}));

constexpr const char* first_step = "/processes/0/actors/0/steps/0";

INSTANTIATE_TEST_SUITE_P(
    Steps, BadScenario,
    testing::Values(
        Bad{first_step, Json{{"aquire", "x"}},
            "/processes/0/actors/0/steps/0/aquire: unknown step \"aquire\"; did you mean "
            "\"acquire\"? (known: acquire, hold, release, cleanup, attach, run, start, wait, "
            "stdin, kill, close)"},
        Bad{first_step, Json({{"jog", "j"}, {"in", "scan-1"}}),
            "/processes/0/actors/0/steps/0/jog: unknown step \"jog\" (known: acquire, hold, "
            "release, cleanup, attach, run, start, wait, stdin, kill, close)"},
        Bad{first_step, Json({{"in", "scan-1"}, {"program", Json::object()}}),
            "/processes/0/actors/0/steps/0: does not say which step it is (known: acquire, hold, "
            "release, cleanup, attach, run, start, wait, stdin, kill, close)"},
        Bad{first_step, Json({{"run", std::string("a\0b", 3)}, {"in", "scan-1"}}),
            "/processes/0/actors/0/steps/0/run: a job id cannot have a character of value 0"},
        Bad{first_step, Json({{"run", "j"}, {"in", "scan-2"}}),
            "/processes/0/actors/0/steps/0/in: no step of runner acquires or attaches "
            "\"scan-2\""},
        Bad{"/processes/1/actors/0/steps/0", Json({{"kill", "j"}, {"in", "scan-1"}}),
            "/processes/1/actors/0/steps/0/in: no step of other acquires or attaches "
            "\"scan-1\""},
        Bad{first_step, Json::object(),
            "/processes/0/actors/0/steps/0: an empty step (known: acquire, hold, release, "
            "cleanup, attach, run, start, wait, stdin, kill, close)"},
        Bad{first_step, Json({{"run", "j"}}), "/processes/0/actors/0/steps/0: no field \"in\""},
        Bad{first_step, Json({{"run", ""}, {"in", "k"}}),
            "/processes/0/actors/0/steps/0/run: a job id cannot be empty"},
        Bad{first_step, Json({{"stdin", ""}, {"in", "k"}, {"text", "x"}}),
            "/processes/0/actors/0/steps/0/stdin: a job id cannot be empty"},
        Bad{first_step, Json({{"kill", "j"}, {"in", ""}}),
            "/processes/0/actors/0/steps/0/in: a lease key cannot be empty"},
        Bad{first_step, Json({{"run", "j"}, {"in", "k"}, {"program", {{"exit", 256}}}}),
            "/processes/0/actors/0/steps/0/program/exit: 256 is out of range (0 to 255)"},
        Bad{first_step, Json({{"wait", "j"}, {"in", "k"}, {"program", Json::object()}}),
            "/processes/0/actors/0/steps/0/program: unknown field \"program\""},
        Bad{first_step, "close", "/processes/0/actors/0/steps/0: not an object"},
        Bad{first_step, Json({{"hold", "1s"}, {"release", "x"}}),
            "/processes/0/actors/0/steps/0: a step does one thing, not hold and release"},
        Bad{first_step, Json({{"hold", "1s"}, {"undo", Json::array()}}),
            "/processes/0/actors/0/steps/0/undo: unknown field \"undo\""},
        Bad{first_step, Json({{"acquire", "x"}, {"bootstrp", true}}),
            "/processes/0/actors/0/steps/0/bootstrp: unknown field \"bootstrp\"; did you mean "
            "\"bootstrap\"?"},
        Bad{first_step, Json{{"acquire", ""}},
            "/processes/0/actors/0/steps/0/acquire: a lease key cannot be empty"},
        Bad{first_step, Json({{"acquire", "x"}, {"tries", 2}}),
            "/processes/0/actors/0/steps/0/tries: counts the tries of the bootstrap, and there is "
            "none"},
        Bad{first_step, Json({{"acquire", "x"}, {"undo", {"a", "a"}}}),
            "/processes/0/actors/0/steps/0/undo/1: the undo step \"a\" stands here twice"},
        Bad{first_step, Json({{"acquire", "x"}, {"staging", {{"tidy", "1s"}}}}),
            "/processes/0/actors/0/steps/0/staging/tidy: unknown field \"tidy\""},
        Bad{first_step, Json({{"acquire", "x"}, {"bootstrap", Json::object()}}),
            "/processes/0/actors/0/steps/0/bootstrap: no field \"duration\""},
        Bad{first_step, Json({{"acquire", "x"}, {"deadline", "0s"}}),
            "/processes/0/actors/0/steps/0/deadline: must be longer than 0s"},
        Bad{first_step, Json{{"hold", "-1s"}},
            "/processes/0/actors/0/steps/0/hold: duration \"-1s\" is negative"},
        Bad{first_step, Json{{"close", false}},
            "/processes/0/actors/0/steps/0/close: close is true, or is left out"}));

INSTANTIATE_TEST_SUITE_P(
    PlanAndExpect, BadScenario,
    testing::Values(
        Bad{"/plan/2/choose", "replylost",
            "/plan/2/choose: unknown fate \"replylost\"; did you mean \"reply_lost\"?"},
        Bad{"/plan/1/choose", "in_flight@nobody", "/plan/1/choose: runner has no actor \"nobody\""},
        Bad{"/plan/1/choose", Json::array({"before", "in_flight@mian"}),
            "/plan/1/choose: runner has no actor \"mian\"; did you mean \"main\"?"},
        Bad{"/plan/1/at", "nobody[scan-1]/container_remove#1/cancel",
            "/plan/1/choose: nobody has no actor \"b\""},
        Bad{"/plan/0/at", "runner[scan-1]/container_start#1",
            "/plan/0/at: site \"runner[scan-1]/container_start#1\", character 32: no '/' after the "
            "call number; a site reads process[lease]/operation#n/aspect"},
        Bad{"/expect/verdict", "passed",
            "/expect/verdict: unknown verdict \"passed\"; did you mean \"pass\"? (known: pass, "
            "violation)"},
        Bad{"/expect/steps/runner~1main#9", "ok",
            "/expect/steps/runner~1main#9: no step \"runner/main#9\"; steps are named "
            "PROCESS/ACTOR#NUMBER, from 1"},
        Bad{"/expect/steps/runner~1main#1", "failed",
            "/expect/steps/runner~1main#1: \"failed\" is not \"ok\", \"error:KIND\" or "
            "\"skipped\""},
        Bad{"/expect/held", Json::array({"runner[scan/2]"}),
            "/expect/held/0: \"runner[scan/2]\" is not a lease that some step acquires "
            "(PROCESS[KEY])"},
        Bad{"/expect/held", Json::array({"runner[scan-1]", "runner[scan-1]"}),
            "/expect/held/1: \"runner[scan-1]\" stands here twice"},
        Bad{"/expect/legacy/x", Json::array({"no leak"}),
            "/expect/legacy/x/0: \"no leak\" is not a name ([A-Za-z0-9][A-Za-z0-9_.-]*)"},
        Bad{"/expect/by_kind/podman", Json::object(),
            "/expect/by_kind/podman: unknown field \"podman\""},
        Bad{"/expect/by_kind/docker", Json{{"by_kind", 1}},
            "/expect/by_kind/docker/by_kind: unknown field \"by_kind\""}));

TEST(FormatErrors, MisspeltErrorKindIsNamed) {
    Json document = full_document();
    document["expect"]["steps"]["runner/main#1"] = "error:unavailible";
    EXPECT_TRUE(
        error_in(document.dump())
            .starts_with("a.json: /expect/steps/runner~1main#1: unknown error kind "
                         "\"unavailible\"; did you mean \"unavailable\"? (known: cancelled, "));
}

TEST(FormatErrors, WhatMustBeThere) {
    for (const char* field : {"schema", "name", "backend", "processes"}) {
        Json document = full_document();
        document.erase(field);
        EXPECT_EQ(error_in(document.dump()), std::string("a.json: no field \"") + field + "\"");
    }
    EXPECT_EQ(error_in("[]"), "a.json: a scenario is an object");
}

TEST(FormatErrors, UnknownProcessOfAPlanIsNone) {
    Json document = small_document();
    document["plan"] = {{{"at", "nobody[-]/join#1/crash"}, {"choose", "before"}}};
    EXPECT_EQ(error_in(document.dump()), "no error");
}

}  // namespace
}  // namespace drydock::scenarios
