#include "seams/sim_stream.hpp"
#include "seams/suspension.hpp"

#include <drydock/sim/network.hpp>
#include <drydock/sim/pending.hpp>
#include <drydock/sim/sim_transport.hpp>
#include <drydock/sim/sleep.hpp>

#include <boost/asio/deferred.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace drydock::sim {

namespace {

TransportFailure not_sent(TransportFailure::Cause cause) {
    return {.cause = cause, .progress = Progress::not_sent};
}

bool is_refused(const Made& fate) {
    const auto* chosen = fate.as<faults::Fate>();
    return chosen != nullptr && chosen->reply.kind == faults::Reply::Kind::not_sent;
}

template <class Outcome>
Outcome failed(Suspension& suspension, TransportFailure failure) {
    suspension.completed(failure_base + static_cast<std::uint64_t>(failure.cause));
    return failure;
}

void hand_over(Exchanged& outcome, Program&, Delivery delivery) {
    outcome = std::move(delivery.response);
}

void hand_over(Opened& outcome, Program& program, Delivery delivery) {
    OpenedStream opened;
    opened.head = std::move(delivery.response);
    if (delivery.line) {
        opened.stream = std::make_unique<SimStream>(program, std::move(delivery.line));
    }
    outcome = std::move(opened);
}

template <class Outcome>
Outcome outcome_of(Suspension& suspension, Exchange& exchange, Settled<Delivery> settled) {
    if (settled.wake != Wake::done) {
        exchange.give_up();
        const auto cause = settled.wake == Wake::cancelled ? TransportFailure::Cause::cancelled
                                                           : TransportFailure::Cause::timeout;
        return failed<Outcome>(suspension, exchange.unanswered(cause));
    }
    if (!settled.value.is_reply) return failed<Outcome>(suspension, settled.value.failure);
    suspension.completed(static_cast<std::uint64_t>(settled.value.response.status));
    Outcome outcome = TransportFailure();
    hand_over(outcome, suspension.program(), std::move(settled.value));
    return outcome;
}

void set_choices(Exchange& exchange, const Suspension& suspension, Made fate, bool is_stream) {
    exchange.set_fate(fate);
    exchange.set_delay(suspension.choice(faults::Aspect::delay));
    exchange.set_trait(suspension.choice(faults::Aspect::engine));
    if (is_stream) exchange.set_stream(suspension.choice(faults::Aspect::stream));
}

template <class Outcome>
awaitable<Outcome> carry(Program& program, Tag tag, Request request, Duration limit,
                         Interrupt interrupt) {
    Simulation& simulation = program.simulation();
    Suspension suspension(program, tag, simulation.backend().addressed_by(request));
    if (suspension.is_chosen()) {
        const bool goes_on = co_await suspension.before(interrupt);
        if (!goes_on) {
            co_return failed<Outcome>(suspension, not_sent(TransportFailure::Cause::cancelled));
        }
        co_await suspension.arm_in_flight();
    }
    const Made fate = suspension.choice(faults::Aspect::fate);
    if (is_refused(fate)) {
        co_await async_sleep(suspension.executor(), simulation.options().uplink,
                             Interrupt::shielded, asio::deferred);
        if (suspension.is_chosen()) co_await suspension.with_completion();
        co_return failed<Outcome>(suspension, not_sent(TransportFailure::Cause::connect));
    }
    const auto exchange =
        std::make_shared<Exchange>(simulation, suspension.site(), std::move(request));
    set_choices(*exchange, suspension, fate, std::is_same_v<Outcome, Opened>);
    auto start = [&simulation, exchange](Promise<Delivery> client) {
        simulation.network().send(exchange, client);
    };
    Settled<Delivery> settled = co_await async_pending<Delivery>(
        suspension.executor(), limit, interrupt, std::move(start), asio::deferred);
    if (suspension.is_chosen()) co_await suspension.with_completion();
    co_return outcome_of<Outcome>(suspension, *exchange, std::move(settled));
}

}  // namespace

awaitable<Exchanged> SimTransport::exchange(Tag tag, Request request, Duration limit,
                                            Interrupt interrupt) {
    return carry<Exchanged>(program_, tag, std::move(request), limit, interrupt);
}

awaitable<Opened> SimTransport::open(Tag tag, Request request, Duration limit,
                                     Interrupt interrupt) {
    return carry<Opened>(program_, tag, std::move(request), limit, interrupt);
}

}  // namespace drydock::sim
