#include "support/manager_bed.hpp"

#include <drydock/authorizing.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <utility>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Answers with these statuses, then 200, a while after it was asked.
class Server final : public Transport {
public:
    explicit Server(Runtime& runtime) : runtime_(runtime) {}

    awaitable<Exchanged> exchange(Tag tag, Request request, Duration,
                                  Interrupt interrupt) override {
        seen.push_back(request.authorization);
        bodies.push_back(request.body);
        co_await runtime_.sleep(tag, 1s, interrupt);
        Response response;
        response.status = take();
        co_return response;
    }
    awaitable<Opened> open(Tag tag, Request request, Duration, Interrupt interrupt) override {
        seen.push_back(request.authorization);
        co_await runtime_.sleep(tag, 1s, interrupt);
        OpenedStream opened;
        opened.head.status = take();
        co_return Opened(std::move(opened));
    }

    std::deque<int> statuses;
    std::vector<std::string> seen;
    std::vector<std::string> bodies;

private:
    int take() {
        if (statuses.empty()) return 200;
        const int status = statuses.front();
        statuses.pop_front();
        return status;
    }

    Runtime& runtime_;
};

class Authorizing : public testing::Test {
protected:
    Authorizing() {
        transport = make_authorizing_transport(*server, *runtime, [this] { return next_token(); });
    }

    awaitable<Result<std::string>> next_token() {
        ++asked;
        const Tag tag{Operation::refresh, "k"};
        co_await runtime->sleep(tag, token_takes, Interrupt::allowed);
        if (no_token) co_return *no_token;
        co_return "t" + std::to_string(asked);
    }

    awaitable<Result<int>> send(Duration limit = 60s) {
        Request request;
        request.body = "body";
        const Tag tag{Operation::exec_start, "k"};
        const Exchanged reply =
            co_await transport->exchange(tag, std::move(request), limit, Interrupt::allowed);
        if (!reply) last_failure = reply.error();
        if (reply) last_body = reply->body;
        co_return reply ? reply->status : 0;
    }

    Runtime* runtime = nullptr;
    ManagerBed bed{{.between = [this](Backend&, Runtime& given) -> std::unique_ptr<Backend> {
        runtime = &given;
        return nullptr;
    }}};
    std::unique_ptr<Server> server = std::make_unique<Server>(*runtime);
    std::unique_ptr<Transport> transport;
    int asked = 0;
    Duration token_takes = 1s;
    std::optional<Error> no_token;
    std::optional<TransportFailure> last_failure;
    std::string last_body;
};

TEST_F(Authorizing, ATokenIsAskedForOnceAndSentWithEachRequest) {
    EXPECT_EQ(*bed.run(send()), 200);
    EXPECT_EQ(*bed.run(send()), 200);
    EXPECT_THAT(server->seen, ElementsAre("Bearer t1", "Bearer t1"));
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(bed.count(Operation::refresh), 2U) << "the call and the source's own wait";
}

TEST_F(Authorizing, ARefusedTokenIsRenewedAndTheRequestRepeatedOnce) {
    server->statuses = {401};
    EXPECT_EQ(*bed.run(send()), 200);
    EXPECT_THAT(server->seen, ElementsAre("Bearer t1", "Bearer t2"));
    EXPECT_THAT(server->bodies, ElementsAre("body", "body"));
    EXPECT_EQ(*bed.run(send()), 200);
    EXPECT_EQ(server->seen.back(), "Bearer t2");
}

TEST_F(Authorizing, ASecondRefusalIsTheReply) {
    server->statuses = {401, 401};
    EXPECT_EQ(*bed.run(send()), 401);
    EXPECT_EQ(server->seen.size(), 2U);
    EXPECT_EQ(asked, 2);
}

TEST_F(Authorizing, OtherRefusalsAreNotRepeated) {
    for (const int status : {403, 404, 409, 500}) {
        server->statuses = {status};
        EXPECT_EQ(*bed.run(send()), status);
    }
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(server->seen.size(), 4U);
}

TEST_F(Authorizing, StreamsAreAuthorizedToo) {
    server->statuses = {401, 101};
    const auto open = [this]() -> awaitable<Result<int>> {
        const Tag tag{Operation::exec_start, "k"};
        Request request;
        const Opened opened =
            co_await transport->open(tag, std::move(request), 60s, Interrupt::allowed);
        co_return opened->head.status;
    };
    EXPECT_EQ(*bed.run(open()), 101);
    EXPECT_THAT(server->seen, ElementsAre("Bearer t1", "Bearer t2"));
}

TEST_F(Authorizing, WithoutATokenNothingIsSentAndTheReplySaysWhy) {
    no_token = Error({.kind = ErrorKind::forbidden, .message = "no such account"});
    EXPECT_EQ(*bed.run(send()), 401);
    EXPECT_THAT(last_body, HasSubstr("no such account"));
    EXPECT_THAT(server->seen, IsEmpty());
    no_token.reset();
    EXPECT_EQ(*bed.run(send()), 200) << "the next one asks again";
}

TEST_F(Authorizing, RefusedTogetherTheyShareAFreshToken) {
    ASSERT_EQ(*bed.run(send()), 200);
    server->statuses = {401, 401, 401};
    const auto one = bed.begin(send());
    const auto two = bed.begin(send());
    const auto three = bed.begin(send());
    bed.pass(1min);
    for (const auto& each : {one, two, three}) {
        ASSERT_TRUE(each->has_ended());
        EXPECT_EQ(each->value(), 200);
    }
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(server->seen.size(), 1U + 3U + 3U);
}

TEST_F(Authorizing, TheSourceRunsInsideTheLimit) {
    token_takes = 1h;
    const Time begun = bed.now();
    EXPECT_EQ(*bed.run(send(5s)), 0);
    EXPECT_EQ(bed.now() - begun, 5s);
    ASSERT_TRUE(last_failure);
    EXPECT_EQ(last_failure->cause, TransportFailure::Cause::timeout);
    EXPECT_EQ(last_failure->progress, Progress::not_sent);
}

TEST_F(Authorizing, ACancelledOneLeavesTheOthersATokenToAskFor) {
    token_takes = 10s;
    const auto first = bed.begin(send());
    const auto second = bed.begin(send());
    bed.pass(1s);
    bed.cancel(first);
    bed.pass(1min);
    ASSERT_TRUE(first->has_ended() && second->has_ended());
    EXPECT_EQ(first->value(), 0);
    EXPECT_EQ(second->value(), 200);
    EXPECT_THAT(server->seen, ElementsAre("Bearer t2"));
}

}  // namespace
}  // namespace drydock::test
