#include <drydock/sim/event_log.hpp>

#include <drydock/sim/engine.hpp>

namespace drydock::sim {

void EventLog::add(EngineEvent event) {
    for (const auto& [number, listener] : listeners_) {
        listener(event);
    }
    if (ring_.size() < most) {
        ring_.push_back(std::move(event));
        return;
    }
    ring_[next_] = std::move(event);
    next_ = (next_ + 1) % most;
}

std::uint32_t EventLog::listen(Listener listener) {
    listeners_.emplace_back(++last_listener_, std::move(listener));
    return last_listener_;
}

void EventLog::forget(std::uint32_t listener) {
    std::erase_if(listeners_, [listener](const auto& one) { return one.first == listener; });
}

std::vector<EngineEvent> EventLog::kept() const {
    std::vector<EngineEvent> all;
    all.reserve(ring_.size());
    for (std::size_t i = 0; i < ring_.size(); ++i) {
        all.push_back(ring_[(next_ + i) % ring_.size()]);
    }
    return all;
}

void SandboxEngine::announce(const Sandbox& sandbox, std::string_view action, int value) {
    EngineEvent event{.at = world_.now(), .action = action, .sandbox = sandbox.number};
    event.value = value;
    if (sandbox.name != sandbox.born_as) {
        event.details = std::make_shared<EventDetails>(EventDetails{.sandbox_name = sandbox.name});
    }
    events_.add(std::move(event));
}

void SandboxEngine::announce(const Sandbox& sandbox, std::string_view action,
                             EventDetails details) {
    if (sandbox.name != sandbox.born_as) {
        details.sandbox_name = sandbox.name;
    }
    EngineEvent event{.at = world_.now(), .action = action, .sandbox = sandbox.number};
    event.details = std::make_shared<EventDetails>(std::move(details));
    events_.add(std::move(event));
}

// Its network's id and name follow from its config.
void SandboxEngine::announce_network(const Sandbox& sandbox, std::string_view action) {
    if (!sandbox.config.network_mode.starts_with("container:")) {
        events_.add(
            {.at = world_.now(), .type = "network", .action = action, .sandbox = sandbox.number});
    }
}

void SandboxEngine::announce_other(std::string_view type, std::string_view action,
                                   EventDetails details) {
    EngineEvent event{.at = world_.now(), .type = type, .action = action};
    event.details = std::make_shared<EventDetails>(std::move(details));
    events_.add(std::move(event));
}

}  // namespace drydock::sim
