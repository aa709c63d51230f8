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

bool is_refusal(const Response& response) { return response.status >= 300; }

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
    if (line_) line_->hang_up();
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
    if (is_stream_ && !is_refusal(response)) {
        const std::string body = std::exchange(response.body, {});
        const auto whole = stream(std::move(response), {});
        whole->send(body);
        whole->end();
        return;
    }
    answer({.response = std::move(response), .is_reply = true});
}

std::shared_ptr<ReplyStream> Exchange::stream(Response head, StreamClient client) {
    if (!is_stream_) return gathered(shared_from_this(), std::move(head));
    const auto line = simulation_.network().make_line(site_, head.status, std::move(client));
    const bool is_heard = !replied_ && client_.wanted() && !faults::is_late(arrival());
    if (is_heard) line_ = line;
    tamper_with(*line);
    if (!is_heard) line->hang_up();
    answer({.response = std::move(head), .line = line, .is_reply = true});
    line->open();
    return line;
}

void Exchange::tamper_with(StreamLine& line) {
    if (fate().reply.kind == faults::Reply::Kind::cut_body) {
        line.tamper(faults::streams::reset(0), fate_.facts->saw_cut_body);
    } else if (const auto* fault = stream_.as<faults::StreamFault>()) {
        line.tamper(*fault, stream_.facts->stream_changed);
    }
}

void Exchange::answer(Delivery delivery) {
    const int status = delivery.response.status;
    Event event = event_of(EventKind::answered, site_);
    event.value = static_cast<std::uint64_t>(status);
    simulation_.trace(event);
    if (fate_ && status >= 400) fate_.facts->refused_by_engine = true;
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
            if (delivery.response.body.empty()) break;  // there is nothing to cut
            return break_line(downlink, {.cause = TransportFailure::Cause::malformed,
                                         .progress = Progress::reply_begun,
                                         .status = status});
        case Kind::stall: begun_status_ = status; return;
        case Kind::slow:
            if (fate_) fate_.facts->waited_longer = client_.wanted();
            return deliver_after(downlink + fate().reply.by, std::move(delivery));
        default: break;
    }
    deliver_after(downlink, std::move(delivery));
}

void Exchange::break_line(Duration delay, TransportFailure failure) {
    if (line_) line_->hang_up();
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
    const auto line = delivery.line;
    const bool was_heard = client_.fulfil(std::move(delivery));
    if (line && !was_heard) line->hang_up();
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
