#include <drydock/sim/network.hpp>
#include <drydock/sim/simulation.hpp>

#include <utility>

namespace drydock::sim {

namespace {

constexpr faults::Fate default_fate{};

Event event_of(EventKind kind, const faults::Site& site) {
    return {.kind = kind,
            .operation = static_cast<std::uint8_t>(site.operation),
            .process = site.process,
            .lease = site.lease,
            .n = site.n};
}

}  // namespace

Exchange::Exchange(Simulation& simulation, faults::Site site, Request request)
    : simulation_(simulation), site_(site), request_(std::move(request)) {}

const faults::Fate& Exchange::fate() const noexcept {
    const auto* chosen = fate_.as<faults::Fate>();
    return chosen == nullptr ? default_fate : *chosen;
}

void Exchange::send(Promise<Delivery> client) {
    client_ = client;
    if (fate_) fate_.facts->sent = true;
    Duration uplink = simulation_.options().uplink;
    if (const auto* delay = delay_.as<faults::Delay>()) {
        uplink += delay->by;
        delay_.facts->waited_longer = true;
    }
    switch (fate().arrival) {
        case faults::Arrival::now: arrive_after(uplink); break;
        case faults::Arrival::twice:
            arrive_after(uplink);
            arrive_after(uplink + simulation_.options().uplink);
            break;
        case faults::Arrival::never:
            if (fate().reply.kind == faults::Reply::Kind::reset) {
                break_line(uplink,
                           {.cause = TransportFailure::Cause::reset, .progress = Progress::sent});
            }
            break;
        default: break;  // late: lands when its trigger comes
    }
}

void Exchange::arrive_after(Duration delay) {
    simulation_.world().call_after(delay, [self = shared_from_this()] { self->arrive(); });
}

// Late requests land once: when their trigger comes, else just before the horizon.
void Exchange::trigger() {
    if (std::exchange(landing_, true)) return;
    arrive_after(simulation_.options().uplink);
}

void Exchange::give_up() {
    if (std::exchange(given_up_, true)) return;
    if (!faults::is_late(arrival()) || arrivals_ > 0) return;
    simulation_.trace(event_of(EventKind::abandoned, site_));
    // An engine may take a moment more to show what it made.
    const Duration last_moment =
        simulation_.options().late_horizon - std::chrono::milliseconds(100);
    simulation_.world().call_after(last_moment, [self = shared_from_this()] {
        if (!std::exchange(self->landing_, true)) self->arrive();
    });
    if (arrival() == faults::Arrival::after_timeout) trigger();
}

void Exchange::arrive() {
    ++arrivals_;
    Event event = event_of(EventKind::arrived, site_);
    event.detail = given_up_ ? 1 : 0;
    simulation_.trace(event);
    if (fate_) {
        fate_.facts->arrived = true;
        fate_.facts->arrived_after_giveup |= given_up_;
        fate_.facts->second_arrival |= arrivals_ > 1;
    }
    // A late request may land when the faults have stopped: no trait sets in any more then.
    const bool sets_in = simulation_.faults_are_on();
    const Intervention intervention{fate_.as<faults::Fate>(),
                                    sets_in ? trait_.as<faults::EngineChoice>() : nullptr};
    simulation_.backend().handle(request_, intervention, shared_from_this());
}

void Exchange::applied() {
    simulation_.trace(event_of(EventKind::applied, site_));
    if (fate_) fate_.facts->applied = true;
}

void Exchange::trait_took_effect() {
    if (trait_) trait_.facts->trait_changed_something = true;
}

void Exchange::reply(Response response) {
    Event event = event_of(EventKind::answered, site_);
    event.value = static_cast<std::uint64_t>(response.status);
    simulation_.trace(event);
    if (fate_ && response.status >= 400) fate_.facts->refused_by_engine = true;
    // A read changes nothing: its answer is all that it has of an effect.
    const bool was_read = is_read(site_.operation) &&
                          fate().answer.kind != faults::Answer::Kind::before &&
                          fate().answer.kind != faults::Answer::Kind::none;
    if (fate_ && was_read) fate_.facts->applied = true;
    if (fate_ && fate().answer.kind == faults::Answer::Kind::partial) {
        fate_.facts->left_broken = true;
    }
    if (std::exchange(replied_, true) || faults::is_late(arrival())) return;
    const Duration downlink = simulation_.options().downlink;
    const int status = response.status;
    using Kind = faults::Reply::Kind;
    switch (fate().reply.kind) {
        case Kind::lost: return;
        case Kind::reset:
            return break_line(
                downlink, {.cause = TransportFailure::Cause::reset, .progress = Progress::sent});
        case Kind::cut_header:
            return break_line(downlink, {.cause = TransportFailure::Cause::reset,
                                         .progress = Progress::reply_begun});
        case Kind::cut_body:
            if (response.body.empty()) break;  // there is nothing to cut
            return break_line(downlink, {.cause = TransportFailure::Cause::malformed,
                                         .progress = Progress::reply_begun,
                                         .status = status});
        case Kind::stall: begun_status_ = status; return;
        case Kind::slow:
            if (fate_) fate_.facts->waited_longer = client_.wanted();
            return deliver_after(downlink + fate().reply.by,
                                 {.response = std::move(response), .is_reply = true});
        default: break;
    }
    deliver_after(downlink, {.response = std::move(response), .is_reply = true});
}

void Exchange::break_line(Duration delay, TransportFailure failure) {
    deliver_after(delay, {.failure = failure});
}

void Exchange::deliver_after(Duration delay, Delivery delivery) {
    simulation_.world().call_after(
        delay, [self = shared_from_this(), delivery = std::move(delivery)]() mutable {
            self->deliver(std::move(delivery));
        });
}

void Exchange::deliver(Delivery delivery) {
    if (fate_ && client_.wanted()) note(delivery);
    const bool was_reply = delivery.is_reply;
    client_.fulfil(std::move(delivery));
    if (was_reply) simulation_.network().answered(site_);
}

void Exchange::note(Delivery& delivery) {
    faults::SiteFacts& facts = *fate_.facts;
    facts.delivered = delivery.is_reply;
    if (delivery.is_reply) return;
    facts.saw_reset = delivery.failure.progress == Progress::sent;
    facts.saw_cut_header =
        delivery.failure.progress == Progress::reply_begun && delivery.failure.status == 0;
    facts.saw_cut_body = delivery.failure.status != 0;
}

TransportFailure Exchange::unanswered(TransportFailure::Cause cause) const {
    const bool has_begun = begun_status_ != 0;
    if (has_begun && fate_ && cause == TransportFailure::Cause::timeout) {
        fate_.facts->stalled = true;
    }
    return {.cause = cause,
            .progress = has_begun ? Progress::reply_begun : Progress::sent,
            .status = begun_status_};
}

}  // namespace drydock::sim
