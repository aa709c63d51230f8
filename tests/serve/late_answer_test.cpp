// Answers that come later than the request's handler returns, from a model made for the test.
#include "serve/support.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace drydock::serve::test {
namespace {

using testing::ElementsAre;

/// Answers when the test says so, after a moment of its world (/soon), or breaks (/broken).
class SlowModel final : public sim::BackendModel {
public:
    void handle(const Request& request, sim::Intervention,
                std::shared_ptr<sim::Responder> responder) override {
        if (request.target == "/broken") throw std::runtime_error("no such thing");
        if (request.target == "/soon") {
            world->call_after(std::chrono::milliseconds(12),
                              [responder] { responder->reply({200, {}, "soon"}); });
        }
        if (request.target == "/wait") responder->head({200, {{"Api-Version", "1.41"}}, {}});
        waiting = std::move(responder);
    }
    void stop_faults() override {}
    std::span<const sim::SandboxTruth> sandboxes() const override { return {}; }
    std::uint32_t addressed_by(const Request&) const override { return 0; }
    const sim::SandboxTruth* find(std::string_view) const override { return nullptr; }

    sim::World* world = nullptr;
    std::shared_ptr<sim::Responder> waiting;
};

class LateAnswer : public testing::Test {
protected:
    LateAnswer() { model.world = &bed.world; }

    SlowModel model;
    Bed bed{&model};
    Client client = bed.client();
};

TEST_F(LateAnswer, HeaderFirst) {
    const auto part = [&]() -> awaitable<void> {
        co_await client.send(request_text("POST", "/wait"));
        const Answer header = co_await client.receive_header();
        EXPECT_EQ(header.result_int(), 200);
        EXPECT_TRUE(header.chunked());
        EXPECT_EQ(header["Ostype"], "linux");
        EXPECT_TRUE(bed.served.empty());
        model.waiting->reply({200, {{"Api-Version", "1.41"}}, "{\"StatusCode\":0}\n"});
        const Answer whole = co_await client.receive_rest();
        EXPECT_EQ(whole.body(), "{\"StatusCode\":0}\n");
        const Answer next = co_await client.ask(request_text("GET", "/soon"));
        EXPECT_EQ(next.body(), "soon");
    };
    bed.run(part());
}

TEST_F(LateAnswer, ComesWhenTheWorldHasIt) {
    const auto part = [&]() -> awaitable<void> {
        const Answer answer = co_await client.ask(request_text("GET", "/soon"));
        EXPECT_EQ(answer.body(), "soon");
        EXPECT_EQ(answer["Content-Type"], "text/plain; charset=utf-8");
    };
    bed.run(part());
    EXPECT_GE(bed.world.now() - Time{}, std::chrono::milliseconds(12));
}

TEST_F(LateAnswer, HalfClosedClientsGetIt) {
    EXPECT_THAT(bed.told(request_text("GET", "/soon")), testing::EndsWith("\r\n\r\nsoon"));
}

TEST_F(LateAnswer, AClientThatHasLeftIsNotWaitedFor) {
    for (const char* target : {"/never", "/wait"}) {
        Client leaving = bed.client();
        const auto part = [&]() -> awaitable<void> {
            co_await leaving.send(request_text("POST", target));
        };
        bed.run(part());
        model.waiting.reset();
        while (!model.waiting) {
            bed.context.run_one();
        }
        leaving.close();
        bed.run_until_served(bed.served.size() + 1);
        EXPECT_EQ(bed.served.back().line, std::string("POST ") + target + " 0");
        EXPECT_FALSE(bed.served.back().is_delivered);
        model.waiting->reply({200, {}, "to nobody"});
    }
}

TEST_F(LateAnswer, AModelThatBreaksIsTold) {
    EXPECT_THAT(bed.told(request_text("GET", "/broken")),
                testing::AllOf(testing::StartsWith("HTTP/1.1 500 "),
                               testing::EndsWith("a defect: no such thing\n")));
}

}  // namespace
}  // namespace drydock::serve::test
