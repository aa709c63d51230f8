#pragma once

#include <drydock/sim/backend_model.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace drydock::serve {

/// A stream on its way to a client: what the model sent and nobody took yet, and the model's ear.
class LiveStream final : public sim::ReplyStream {
public:
    LiveStream(sim::StreamClient client, std::function<void()> on_change)
        : client_(std::move(client)), on_change_(std::move(on_change)) {}

    // the model's end
    void send(std::string_view bytes) override {
        if (is_over_) return;
        pending_.append(bytes);
        on_change_();
    }
    void end() override {
        client_ = {};
        if (!std::exchange(is_over_, true)) on_change_();
    }

    // the client's end
    std::string take() { return std::exchange(pending_, {}); }
    bool is_over() const noexcept { return is_over_; }
    // The model may end the stream while it hears this, and with it what is called.
    void input(std::string_view bytes) const {
        if (const auto heard = client_.input) heard(bytes);
    }
    void end_input() const {
        if (const auto heard = client_.input_end) heard();
    }
    void leave() {
        is_over_ = true;
        if (const auto heard = std::exchange(client_, {}).left) heard();
    }

private:
    sim::StreamClient client_;
    std::function<void()> on_change_;
    std::string pending_;
    bool is_over_ = false;
};

}  // namespace drydock::serve
