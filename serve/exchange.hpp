#pragma once

#include "live_stream.hpp"

#include <drydock/sim/backend_model.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace drydock::serve {

/// One request and what the model has answered so far. The model may hold it longer than the
/// client's connection lasts.
class Exchange final : public sim::Responder {
public:
    void applied() override {}
    void trait_took_effect() override {}
    void head(const Response& head) override {
        head_ = head;
        changed();
    }
    void reply(Response answer) override {
        answer_ = std::move(answer);
        changed();
    }
    std::shared_ptr<sim::ReplyStream> stream(Response head, sim::StreamClient client) override {
        stream_ = std::make_shared<LiveStream>(std::move(client), on_change);
        answer_ = std::move(head);
        changed();
        return stream_;
    }

    const std::optional<Response>& head() const noexcept { return head_; }
    /// Of a stream: what goes ahead of it.
    const std::optional<Response>& answer() const noexcept { return answer_; }
    const std::shared_ptr<LiveStream>& stream() const noexcept { return stream_; }

    std::function<void()> on_change;

private:
    void changed() const {
        if (on_change) on_change();
    }

    std::optional<Response> head_;
    std::optional<Response> answer_;
    std::shared_ptr<LiveStream> stream_;
};

}  // namespace drydock::serve
