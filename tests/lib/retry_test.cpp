#include <drydock/retry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace drydock {
namespace {

using enum ErrorKind;

constexpr std::array<ErrorKind, error_kind_count> kinds{
    cancelled,    deadline,     connect,   reset,    timeout, pool_timeout, protocol,
    unauthorized, forbidden,    not_found, conflict, invalid, rate_limited, quota,
    unavailable,  provisioning, internal,  teardown, ledger};
constexpr std::array landings{Landed::no, Landed::yes, Landed::unknown};

bool is_one_of(ErrorKind kind, std::initializer_list<ErrorKind> wanted) {
    return std::find(wanted.begin(), wanted.end(), kind) != wanted.end();
}

TEST(Retry, TransientAreThoseThatAnotherTryMayCure) {
    for (const ErrorKind kind : kinds) {
        const bool wanted = is_one_of(
            kind, {connect, reset, timeout, pool_timeout, rate_limited, unavailable, provisioning});
        EXPECT_EQ(is_transient(kind), wanted) << name(kind);
    }
}

TEST(Retry, ReadsRepeatWhateverMayPass) {
    for (const ErrorKind kind : kinds) {
        const bool wanted = is_transient(kind) || kind == protocol;
        for (const Landed landed : landings) {
            EXPECT_EQ(may_repeat(RetryClass::read, kind, landed), wanted) << name(kind);
        }
    }
}

// Only what nobody answered: an answered failure ends the attempt, and what never landed has
// nothing to be confirmed in place.
TEST(Retry, ConvergentAndKeyedRepeatOnlyWhatIsAmbiguous) {
    for (const RetryClass retry : {RetryClass::convergent, RetryClass::keyed}) {
        for (const ErrorKind kind : kinds) {
            const bool unanswered = is_one_of(kind, {reset, timeout, protocol});
            EXPECT_FALSE(may_repeat(retry, kind, Landed::no)) << name(kind);
            EXPECT_EQ(may_repeat(retry, kind, Landed::unknown), unanswered) << name(kind);
            EXPECT_EQ(may_repeat(retry, kind, Landed::yes), unanswered) << name(kind);
        }
    }
}

TEST(Retry, OnceNeverRepeats) {
    for (const ErrorKind kind : kinds) {
        for (const Landed landed : landings) {
            EXPECT_FALSE(may_repeat(RetryClass::once, kind, landed)) << name(kind);
        }
    }
}

TEST(Retry, NothingTerminalIsEverRepeated) {
    for (const auto retry : {RetryClass::read, RetryClass::convergent, RetryClass::keyed}) {
        for (const ErrorKind kind : {cancelled, deadline, unauthorized, forbidden, not_found,
                                     invalid, quota, internal, teardown, ledger, conflict}) {
            for (const Landed landed : landings) {
                EXPECT_FALSE(may_repeat(retry, kind, landed)) << name(kind);
            }
        }
    }
}

TEST(Retry, EachOperationHasItsClass) {
    for (std::size_t i = 0; i < operation_count; ++i) {
        const auto operation = static_cast<Operation>(i);
        const RetryClass got = retry_class(operation);
        switch (operation) {
            case Operation::container_create: EXPECT_EQ(got, RetryClass::keyed); break;
            case Operation::container_start:
            case Operation::container_remove:
            case Operation::archive_put: EXPECT_EQ(got, RetryClass::convergent); break;
            case Operation::container_inspect:
            case Operation::container_list:
            case Operation::late_lookup:
            case Operation::exec_create:
            case Operation::exec_inspect:
            case Operation::exec_read:
            case Operation::archive_get: EXPECT_EQ(got, RetryClass::read); break;
            default: EXPECT_EQ(got, RetryClass::once) << name(operation);
        }
    }
}

TEST(RetryAttempts, WithoutASettingTheDefaultHolds) {
    const AttemptsSetting setting = attempts_from(std::nullopt);
    EXPECT_EQ(setting.attempts, 3U);
    EXPECT_TRUE(setting.warning.empty());
}

TEST(RetryAttempts, AnIntegerOfAtLeastOneIsUsed) {
    const std::vector<std::pair<const char*, std::uint32_t>> valid{
        {"1", 1}, {"3", 3}, {"007", 7}, {"4294967295", 4294967295U}};
    for (const auto& [text, attempts] : valid) {
        EXPECT_EQ(attempts_from(text).attempts, attempts) << text;
        EXPECT_EQ(attempts_from(text).warning, "") << text;
    }
}

TEST(RetryAttempts, AnythingElseIsTheDefaultWithAWarning) {
    for (const char* text : {"", "0", "-1", "+3", "x", "3x", "3.0", " 3", "3 ", "0x3", "4294967296",
                             "99999999999999999999999"}) {
        const AttemptsSetting setting = attempts_from(text);
        EXPECT_EQ(setting.attempts, 3U) << text;
        EXPECT_NE(setting.warning.find("\"" + std::string(text) + "\""), std::string::npos) << text;
        EXPECT_NE(setting.warning.find("DRYDOCK_START_ATTEMPTS"), std::string::npos);
    }
}

}  // namespace
}  // namespace drydock
