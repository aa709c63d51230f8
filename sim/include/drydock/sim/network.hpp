#pragma once

#include <drydock/faults/fate.hpp>
#include <drydock/faults/site.hpp>
#include <drydock/sim/backend_model.hpp>
#include <drydock/sim/choices.hpp>
#include <drydock/sim/pending.hpp>
#include <drydock/sim/stream_line.hpp>
#include <drydock/transport.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace drydock::sim {

class Simulation;

/// What reaches a waiting client: a reply (of a stream its head), or how the line failed.
struct Delivery {
    Response response{};
    std::shared_ptr<StreamLine> line{};
    TransportFailure failure{};
    bool is_reply = false;
};

/// One request on its way, at message fidelity: its fate decides when it lands and what comes back.
/// It lives on after its client gave it up, as a real server goes on without us.
class Exchange final : public Responder, public std::enable_shared_from_this<Exchange> {
public:
    Exchange(Simulation& simulation, faults::Site site, Request request);

    void set_fate(Made fate) { fate_ = fate; }
    void set_delay(Made delay) { delay_ = delay; }
    void set_trait(Made trait) { trait_ = trait; }
    /// The client takes its reply as a stream.
    void set_stream(Made fault) {
        stream_ = fault;
        is_stream_ = true;
    }

    /// The request leaves; `client` waits.
    void send(Promise<Delivery> client);
    /// The client waits no more: it timed out, was cancelled, or died.
    void give_up();

    /// What a client sees that waited in vain: how far it got.
    TransportFailure unanswered(TransportFailure::Cause cause) const;

    const faults::Site& site() const noexcept { return site_; }
    faults::Arrival arrival() const noexcept { return fate().arrival; }

    /// A late request's trigger came: it lands one latency later.
    void trigger();

    // Responder
    void applied() override;
    void trait_took_effect() override;
    void reply(Response response) override;
    std::shared_ptr<ReplyStream> stream(Response head, StreamClient client) override;

private:
    const faults::Fate& fate() const noexcept;
    faults::SiteFacts* fate_facts() const noexcept { return fate_.facts; }
    void arrive_after(Duration delay);
    void arrive();
    void answer(Delivery delivery);
    void tamper_with(StreamLine& line);
    void deliver_after(Duration delay, Delivery delivery);
    void deliver(Delivery delivery);
    void break_line(Duration delay, TransportFailure failure);
    void note(Delivery& delivery);

    Simulation& simulation_;
    faults::Site site_;
    Request request_;
    Made fate_;
    Made delay_;
    Made trait_;
    Made stream_;
    std::shared_ptr<StreamLine> line_;
    Promise<Delivery> client_;
    int begun_status_ = 0;  ///< of a reply that began and stalled
    std::uint8_t arrivals_ = 0;
    bool is_stream_ = false;
    bool given_up_ = false;
    bool replied_ = false;
    bool landing_ = false;  ///< a late request whose landing is under way
};

/// Carries exchanges between programs and the backend.
class Network {
public:
    explicit Network(Simulation& simulation) : simulation_(simulation) {}
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    ~Network();

    void send(std::shared_ptr<Exchange> exchange, Promise<Delivery> client);
    /// An exchange was answered: late ones may have waited for it.
    void answered(const faults::Site& site);
    std::shared_ptr<StreamLine> make_line(const faults::Site& site, int status,
                                          StreamClient client);
    /// The program's present incarnation died: nobody waits for its exchanges any more, and its
    /// streams are closed.
    void client_died(std::uint8_t process);

private:
    struct Late {
        std::shared_ptr<Exchange> exchange;
        std::size_t gone_before = 0;  ///< sandboxes of the lease that were gone when it was sent
    };

    std::size_t gone_of(const faults::Site& site) const;

    Simulation& simulation_;
    std::vector<Late> late_;  ///< sent and waiting for their triggers, in order
    std::vector<std::weak_ptr<StreamLine>> lines_;  ///< in the order of their beginning
};

}  // namespace drydock::sim
