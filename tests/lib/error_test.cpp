#include <drydock/error.hpp>
#include <drydock/result.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace drydock {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<ErrorKind> all_kinds() {
    std::vector<ErrorKind> kinds;
    for (std::size_t i = 0; i < error_kind_count; ++i)
        kinds.push_back(static_cast<ErrorKind>(i));
    return kinds;
}

Error of_kind(ErrorKind kind) { return Error({.kind = kind}); }

TEST(ErrorKinds, HaveDistinctNamesThatReadBack) {
    std::set<std::string_view> names;
    for (const ErrorKind kind : all_kinds()) {
        names.insert(name(kind));
        EXPECT_EQ(error_kind_from_name(name(kind)), kind);
    }
    EXPECT_EQ(names.size(), error_kind_count);
    EXPECT_EQ(names.count(""), 0U);
}

TEST(ErrorKinds, OtherNamesAreNone) {
    for (const char* other : {"", "Timeout", "timeout ", "timeou", "timeouts", "unknown"}) {
        EXPECT_FALSE(error_kind_from_name(other)) << other;
    }
}

TEST(ErrorDescription, KeepsTheKindThroughText) {
    for (const ErrorKind kind : all_kinds()) {
        const std::string text = of_kind(kind).describe();
        EXPECT_THAT(text, StartsWith(std::string(name(kind)) + ": "));
        EXPECT_EQ(kind_in(text), kind);
        EXPECT_EQ(kind_in("Traceback: RuntimeError('" + text + "')\n"), kind);
    }
}

TEST(ErrorDescription, TheFirstTokenIsThePrimaryOnes) {
    for (const ErrorKind outer : all_kinds()) {
        for (const ErrorKind inner : all_kinds()) {
            const Error error =
                of_kind(outer).with_cause(of_kind(inner).with_cause(of_kind(outer)));
            EXPECT_EQ(kind_in(error.describe()), outer);
        }
    }
}

TEST(ErrorDescription, WithoutATokenThereIsNoKind) {
    for (const char* text : {"", "timeout: no", "[drydock:", "[drydock:]", "[drydock:timeout",
                             "[drydock:nonsense]", "[drydock: timeout]", "drydock:timeout]"}) {
        EXPECT_FALSE(kind_in(text)) << text;
    }
}

TEST(ErrorDescription, SaysWhereThereIsNoDetail) {
    EXPECT_THAT(of_kind(ErrorKind::reset).describe(), HasSubstr("(no detail)"));
    const Error told({.kind = ErrorKind::reset, .message = "by peer"});
    EXPECT_THAT(told.describe(), Not(HasSubstr("(no detail)")));
    EXPECT_THAT(told.describe(), HasSubstr("by peer"));
}

TEST(ErrorDescription, NamesOperationStatusCodeAndObligation) {
    const Error error({.kind = ErrorKind::unavailable,
                       .operation = Operation::container_start,
                       .status = 503,
                       .code = "overloaded",
                       .message = "try later",
                       .obligation = Obligation::remains});
    EXPECT_EQ(error.describe(),
              "unavailable: container_start: try later (status 503) (code overloaded) (an "
              "obligation remains) [drydock:unavailable]");
    const std::string plain = of_kind(ErrorKind::unavailable).describe();
    EXPECT_EQ(plain, "unavailable: (no detail) [drydock:unavailable]");
}

TEST(ErrorDescription, TellsCausesInOrder) {
    const Error error = Error({.kind = ErrorKind::reset, .message = "first"})
                            .with_cause(Error({.kind = ErrorKind::timeout, .message = "second"}))
                            .with_cause(Error({.kind = ErrorKind::teardown, .message = "third"}));
    EXPECT_EQ(error.describe(),
              "reset: first [drydock:reset]; caused by timeout: second [drydock:timeout]; caused "
              "by teardown: third [drydock:teardown]");
}

// A message that holds what looks like a token (an error that was text once) must not pass for the
// kind of the error that carries it.
TEST(ErrorDescription, AMessageWithATokenOfItsOwnDoesNotHideTheKind) {
    const Error inner({.kind = ErrorKind::timeout, .message = "slow"});
    const Error outer({.kind = ErrorKind::internal, .message = inner.describe()});
    EXPECT_EQ(kind_in(outer.describe()), ErrorKind::internal) << outer.describe();
}

TEST(ErrorValue, IsOnePointerWideAndCopiesShare) {
    static_assert(sizeof(Error) == sizeof(void*));
    const Error error({.kind = ErrorKind::conflict, .message = "taken"});
    const Error copy = error;
    EXPECT_EQ(copy.message().data(), error.message().data());
}

TEST(ErrorValue, KeepsItsFields) {
    const Error error({.kind = ErrorKind::conflict,
                       .landed = Landed::unknown,
                       .operation = Operation::container_remove,
                       .status = 409,
                       .code = "c",
                       .message = "m"});
    EXPECT_EQ(error.kind(), ErrorKind::conflict);
    EXPECT_EQ(error.landed(), Landed::unknown);
    EXPECT_EQ(error.operation(), Operation::container_remove);
    EXPECT_EQ(error.status(), 409);
    EXPECT_EQ(error.code(), "c");
    EXPECT_EQ(error.message(), "m");
    EXPECT_EQ(error.obligation(), Obligation::none);
    EXPECT_TRUE(error.causes().empty());
}

TEST(ErrorValue, AttachingMakesAnotherError) {
    const Error plain({.kind = ErrorKind::reset, .message = "m"});
    const Error owing = plain.with_obligation(Obligation::remains);
    const Error caused = owing.with_cause(of_kind(ErrorKind::timeout));
    EXPECT_EQ(plain.obligation(), Obligation::none);
    EXPECT_TRUE(plain.causes().empty());
    EXPECT_TRUE(owing.causes().empty());
    ASSERT_EQ(caused.causes().size(), 1U);
    EXPECT_EQ(caused.causes().front().kind(), ErrorKind::timeout);
    EXPECT_EQ(caused.obligation(), Obligation::remains);
    EXPECT_EQ(caused.message(), "m");
}

TEST(ErrorValue, ByDefaultIsOurOwnBug) { EXPECT_EQ(Error().kind(), ErrorKind::internal); }

TEST(ErrorValue, AskingAFailedResultForItsValueTellsTheError) {
    const Result<int> failed = Error({.kind = ErrorKind::quota, .message = "full"});
    try {
        static_cast<void>(failed.value());
        FAIL() << "no exception";
    } catch (const BadResult& thrown) {
        EXPECT_EQ(kind_in(thrown.what()), ErrorKind::quota);
    }
}

// Across attempts the earlier error becomes a cause of the later one: chains grow with every retry.
TEST(ErrorChain, ADeepOneIsDescribedInBounds) {
    Error error = of_kind(ErrorKind::timeout);
    for (int i = 0; i < 1000; ++i)
        error = of_kind(ErrorKind::reset).with_cause(error);
    const std::string text = error.describe();
    EXPECT_LT(text.size(), 4000U);
    EXPECT_EQ(kind_in(text), ErrorKind::reset);
    EXPECT_THAT(text, HasSubstr("caused by more"));
}

TEST(ErrorChain, ADeepOneIsDestroyedWithoutRecursion) {
    Error error = of_kind(ErrorKind::timeout);
    for (int i = 0; i < 100'000; ++i)
        error = of_kind(ErrorKind::reset).with_cause(error);
    EXPECT_LT(error.describe().size(), 4000U);
    error = Error();
    EXPECT_EQ(error.kind(), ErrorKind::internal);
}

RC_GTEST_PROP(ErrorDescription, AnyTextKeepsTheKind, (const std::string& message)) {
    RC_PRE(message.find("[drydock:") == std::string::npos);
    const auto kind = static_cast<ErrorKind>(*rc::gen::inRange<int>(0, error_kind_count));
    const Error error({.kind = kind, .code = message, .message = message});
    RC_ASSERT(kind_in(error.describe()) == kind);
}

}  // namespace
}  // namespace drydock
