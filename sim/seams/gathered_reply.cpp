#include <drydock/sim/backend_model.hpp>

#include <utility>

namespace drydock::sim {
namespace {

class GatheredReply final : public ReplyStream {
public:
    GatheredReply(std::shared_ptr<Responder> responder, Response head)
        : responder_(std::move(responder)), response_(std::move(head)) {}

    void send(std::string_view bytes) override {
        if (responder_ != nullptr) response_.body.append(bytes);
    }
    void end() override {
        if (const auto responder = std::exchange(responder_, nullptr)) {
            responder->reply(std::move(response_));
        }
    }

private:
    std::shared_ptr<Responder> responder_;
    Response response_;
};

}  // namespace

std::shared_ptr<ReplyStream> gathered(std::shared_ptr<Responder> responder, Response head) {
    return std::make_shared<GatheredReply>(std::move(responder), std::move(head));
}

}  // namespace drydock::sim
