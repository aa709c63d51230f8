#pragma once

#include <drydock/time.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

/// What only some events have.
struct EventDetails {
    std::string id{};            ///< of a volume, a network or an image
    std::string sandbox_name{};  ///< where it is not the sandbox's first one
    std::string command{};       ///< of an exec's
    std::vector<std::pair<std::string, std::string>> attributes{};
};

/// Something that happened at an engine, as its clients are told.
struct EngineEvent {
    Time at{};
    std::string_view type = "container";  ///< static text, as the action is
    std::string_view action;
    std::uint32_t sandbox = 0;  ///< the number of the one that it concerns
    int value = 0;              ///< of a kill the signal, of a die the exit code
    std::shared_ptr<const EventDetails> details{};
};

/// The last events of an engine, and those who hear the next ones.
class EventLog {
public:
    using Listener = std::function<void(const EngineEvent&)>;

    void add(EngineEvent event);
    /// A listener must not make anything happen. Returns its number.
    std::uint32_t listen(Listener listener);
    void forget(std::uint32_t listener);
    /// Oldest first: at most the last 256.
    std::vector<EngineEvent> kept() const;

private:
    static constexpr std::size_t most = 256;

    std::vector<EngineEvent> ring_;
    std::size_t next_ = 0;  ///< once the ring is full, where the oldest stands
    std::vector<std::pair<std::uint32_t, Listener>> listeners_;
    std::uint32_t last_listener_ = 0;
};

}  // namespace drydock::sim
