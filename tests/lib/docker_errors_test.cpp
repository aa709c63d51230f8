#include "docker_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using Cause = TransportFailure::Cause;

/// One call of each operation over a scripted transport, reduced to its error.
class DockerErrors : public testing::Test {
protected:
    Error error_of(Operation operation) {
        const auto context = context_of(operation);
        switch (operation) {
            case Operation::container_create: {
                const SandboxSpec spec{"bb", {"true"}, {}, {}};
                const Labels labels;
                return run(backend_->create(context, "name", spec, labels)).error();
            }
            case Operation::container_start: return run(backend_->start(context, "id")).error();
            case Operation::container_list: {
                const Labels labels;
                return run(backend_->list(context, labels)).error();
            }
            case Operation::container_remove: return run(backend_->remove(context, "id")).error();
            default: return run(backend_->inspect(context, "id")).error();
        }
    }
    Error refusal(Operation operation, int status, std::string body = R"({"message":"why"})") {
        transport_.answer(status, std::move(body));
        return error_of(operation);
    }
    Error failure(Operation operation, Cause cause, Progress progress, int status = 0) {
        transport_.fail({cause, progress, status});
        return error_of(operation);
    }

    ScriptedTransport transport_;
    std::unique_ptr<Backend> backend_ = make_docker_backend(transport_);
};

TEST_F(DockerErrors, StatusDecidesTheKind) {
    const std::vector<std::pair<int, ErrorKind>> kinds = {
        {301, ErrorKind::protocol},     {400, ErrorKind::invalid},
        {401, ErrorKind::unauthorized}, {403, ErrorKind::forbidden},
        {404, ErrorKind::not_found},    {405, ErrorKind::invalid},
        {408, ErrorKind::timeout},      {409, ErrorKind::conflict},
        {422, ErrorKind::invalid},      {429, ErrorKind::rate_limited},
        {500, ErrorKind::unavailable},  {503, ErrorKind::unavailable},
        {599, ErrorKind::unavailable},  {0, ErrorKind::protocol},
        {999, ErrorKind::protocol},
    };
    for (const auto operation :
         {Operation::container_create, Operation::container_start, Operation::container_inspect,
          Operation::container_list, Operation::container_remove, Operation::late_lookup}) {
        for (const auto& [status, kind] : kinds) {
            const Error error = refusal(operation, status);
            EXPECT_EQ(error.kind(), kind) << status;
            EXPECT_EQ(error.status(), status);
            EXPECT_EQ(error.message(), "why");
            EXPECT_EQ(error.operation(), operation);
        }
    }
}

TEST_F(DockerErrors, RefusalsAreNotAppliedAndServerErrorsMayBe) {
    for (const int status : {401, 403, 404, 405, 429}) {
        EXPECT_EQ(refusal(Operation::container_create, status).landed(), Landed::no) << status;
    }
    for (const int status : {400, 403, 422}) {
        EXPECT_EQ(refusal(Operation::container_start, status).landed(), Landed::no) << status;
        EXPECT_EQ(refusal(Operation::container_remove, status).landed(), Landed::no) << status;
    }
    for (const int status : {301, 408, 500, 502, 503, 504}) {
        EXPECT_EQ(refusal(Operation::container_create, status).landed(), Landed::unknown) << status;
    }
}

TEST_F(DockerErrors, AConflictMayBeWithOneself) {
    for (const auto operation : {Operation::container_create, Operation::container_remove}) {
        EXPECT_EQ(refusal(operation, 409).landed(), Landed::unknown);
    }
}

TEST_F(DockerErrors, AnInvalidCreateMayLeaveASandboxInError) {
    EXPECT_EQ(refusal(Operation::container_create, 400).landed(), Landed::unknown);
    EXPECT_EQ(refusal(Operation::container_create, 422).landed(), Landed::unknown);
}

TEST_F(DockerErrors, AQuotaIsNamedByTheBody) {
    const auto operation = Operation::container_create;
    EXPECT_EQ(refusal(operation, 429, R"({"message":"Quota exceeded for CPU"})").kind(),
              ErrorKind::quota);
    EXPECT_EQ(refusal(operation, 429, R"({"code":"quota_exceeded","message":"no"})").kind(),
              ErrorKind::quota);
    EXPECT_EQ(refusal(operation, 429, R"({"code":"slow_down","message":"no"})").code(),
              "slow_down");
}

TEST_F(DockerErrors, AnUnreadableSuccessHasLanded) {
    for (const char* body : {"", "<html>login</html>", "[]", "{", "{\"Id\":", "5"}) {
        for (const auto operation : {Operation::container_create, Operation::container_inspect}) {
            const Error error = refusal(operation, 200, body);
            EXPECT_EQ(error.kind(), ErrorKind::protocol) << body;
            EXPECT_EQ(error.landed(), Landed::yes);
            EXPECT_FALSE(error.message().empty());
        }
    }
    EXPECT_EQ(refusal(Operation::container_list, 200, "{}").kind(), ErrorKind::protocol);
}

TEST_F(DockerErrors, CauseDecidesTheKindOfAFailure) {
    const std::vector<std::pair<Cause, ErrorKind>> kinds = {
        {Cause::cancelled, ErrorKind::cancelled},    {Cause::connect, ErrorKind::connect},
        {Cause::pool_wait, ErrorKind::pool_timeout}, {Cause::reset, ErrorKind::reset},
        {Cause::timeout, ErrorKind::timeout},        {Cause::malformed, ErrorKind::protocol},
    };
    for (const auto& [cause, kind] : kinds) {
        const Error error = failure(Operation::container_start, cause, Progress::not_sent);
        EXPECT_EQ(error.kind(), kind);
        EXPECT_EQ(error.landed(), Landed::no);
        EXPECT_FALSE(error.message().empty());
    }
}

TEST_F(DockerErrors, ProgressDecidesWhetherAFailureLanded) {
    const auto operation = Operation::container_create;
    for (const Cause cause : {Cause::cancelled, Cause::reset, Cause::timeout, Cause::malformed}) {
        EXPECT_EQ(failure(operation, cause, Progress::partly_sent).landed(), Landed::no);
        EXPECT_EQ(failure(operation, cause, Progress::sent).landed(), Landed::unknown);
        EXPECT_EQ(failure(operation, cause, Progress::reply_begun).landed(), Landed::unknown);
        EXPECT_EQ(failure(operation, cause, Progress::reply_begun, 201).landed(), Landed::yes);
        EXPECT_EQ(failure(operation, cause, Progress::reply_begun, 404).landed(), Landed::no);
        EXPECT_EQ(failure(operation, cause, Progress::reply_begun, 409).landed(), Landed::unknown);
        EXPECT_EQ(failure(operation, cause, Progress::reply_begun, 500).landed(), Landed::unknown);
        EXPECT_EQ(failure(operation, cause, Progress::reply_begun, 201).status(), 201);
    }
    EXPECT_EQ(
        failure(Operation::container_start, Cause::reset, Progress::reply_begun, 304).landed(),
        Landed::yes);
}

TEST_F(DockerErrors, SuccessesAreSuccesses) {
    const auto context = context_of(Operation::container_start);
    for (const int status : {204, 304, 200}) {
        transport_.answer(status, "");
        EXPECT_TRUE(run(backend_->start(context, "id")).has_value()) << status;
    }
    transport_.answer(304, "");
    EXPECT_FALSE(run(backend_->remove(context_of(Operation::container_remove), "id")).has_value());
    transport_.answer(202, "");
    EXPECT_TRUE(run(backend_->remove(context_of(Operation::container_remove), "id")).has_value());
    transport_.answer(201, "{\"Id\":\"abc\",\"Warnings\":[]}\n");
    const SandboxSpec spec;
    const Labels labels;
    const auto id =
        run(backend_->create(context_of(Operation::container_create), "name", spec, labels));
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(*id, "abc");
}

TEST_F(DockerErrors, TheCallContextReachesTheTransport) {
    transport_.answer(204, "");
    CallContext context = context_of(Operation::container_remove);
    context.interrupt = Interrupt::shielded;
    ASSERT_TRUE(run(backend_->remove(context, "id")).has_value());
    EXPECT_EQ(transport_.last_tag.operation, Operation::container_remove);
    EXPECT_EQ(transport_.last_tag.lease, "lease-1");
    EXPECT_EQ(transport_.last_limit, std::chrono::seconds(30));
    EXPECT_EQ(transport_.last_interrupt, Interrupt::shielded);
}

}  // namespace
}  // namespace drydock::test
