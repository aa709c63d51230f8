#pragma once

#include "docker/call.hpp"
#include "engine/streams.hpp"

#include <drydock/sim/backend_model.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::sim::docker {

/// Eight bytes and the text: one piece of a multiplexed stream.
std::string frame(Source source, std::string_view bytes);

/// The header by which a connection is taken over: 101 if the client asked for that, else 200.
Response hijack_head(const Request& request);

/// The error of a route that takes the connection over: plain text.
Response hijack_error(int status, const std::string& message);

/// Hands on to a client what a program writes. Keeps nothing alive but the stream.
class StreamWriter final : public Listener {
public:
    struct Wanted {
        bool out = true;
        bool err = true;
    };

    StreamWriter(Wanted wanted, bool is_framed) : wanted_(wanted), is_framed_(is_framed) {}

    void open(std::shared_ptr<ReplyStream> stream) { stream_ = std::move(stream); }
    void written(Source source, std::string_view bytes) override;
    void ended() override;
    /// Text of the engine's own, as if the program had written it.
    void say(std::string_view text);

private:
    std::shared_ptr<ReplyStream> stream_;
    Wanted wanted_;
    bool is_framed_;
};

/// The keys by which a terminal's user leaves a program running. They are not handed on.
class DetachKeys {
public:
    /// As "ctrl-a,x"; nothing if they are none. Empty text: ctrl-p,ctrl-q.
    static std::optional<DetachKeys> read(std::string_view text);

    /// What of the bytes is for the program; nothing if the keys were pressed.
    std::optional<std::string> pass(std::string_view bytes);

private:
    explicit DetachKeys(std::string keys) : keys_(std::move(keys)) {}

    std::string keys_;
    std::size_t pressed_ = 0;
};

}  // namespace drydock::sim::docker
