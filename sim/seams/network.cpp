#include <drydock/sim/network.hpp>
#include <drydock/sim/simulation.hpp>

#include <algorithm>
#include <utility>

namespace drydock::sim {

// What the model wants to hear of a client may hold the line itself.
Network::~Network() {
    for (const auto& each : lines_) {
        if (const auto line = each.lock()) line->abandon();
    }
}

std::shared_ptr<StreamLine> Network::make_line(const faults::Site& site, int status,
                                               StreamClient client) {
    std::erase_if(lines_, [](const auto& each) {
        const auto line = each.lock();
        return line == nullptr || line->is_over();
    });
    auto line = std::make_shared<StreamLine>(simulation_, site.process, status, std::move(client));
    lines_.push_back(line);
    return line;
}

void Network::send(std::shared_ptr<Exchange> exchange, Promise<Delivery> client) {
    exchange->send(client);
    if (!faults::is_late(exchange->arrival())) return;
    const std::size_t gone = gone_of(exchange->site());
    late_.push_back({.exchange = std::move(exchange), .gone_before = gone});
}

void Network::answered(const faults::Site& site) {
    std::erase_if(late_, [&](const Late& late) {
        const faults::Site& waiting = late.exchange->site();
        if (waiting.process != site.process || waiting.lease != site.lease) return false;
        const bool is_retry = waiting.operation == site.operation && waiting.n < site.n;
        const bool has_come = late.exchange->arrival() == faults::Arrival::after_retry
                                  ? is_retry
                                  : late.exchange->arrival() == faults::Arrival::after_remove &&
                                        gone_of(waiting) > late.gone_before;
        if (has_come) late.exchange->trigger();
        return has_come;
    });
}

void Network::client_died(std::uint8_t process) {
    for (const Late& late : late_) {
        if (late.exchange->site().process == process) late.exchange->give_up();
    }
    for (const auto& each : lines_) {
        const auto line = each.lock();
        if (line != nullptr && line->process() == process) line->hang_up();
    }
}

std::size_t Network::gone_of(const faults::Site& site) const {
    const std::string& owner = simulation_.names().process_name(site.process);
    const std::string& lease = simulation_.names().lease_key(site.lease);
    const auto sandboxes = simulation_.backend().sandboxes();
    return static_cast<std::size_t>(
        std::count_if(sandboxes.begin(), sandboxes.end(), [&](const SandboxTruth& sandbox) {
            return sandbox.is_gone && sandbox.owner == owner && sandbox.lease == lease;
        }));
}

}  // namespace drydock::sim
