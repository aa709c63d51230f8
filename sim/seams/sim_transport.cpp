#include "seams/suspension.hpp"

#include <drydock/sim/network.hpp>
#include <drydock/sim/pending.hpp>
#include <drydock/sim/sim_transport.hpp>
#include <drydock/sim/sleep.hpp>

#include <boost/asio/deferred.hpp>

#include <utility>

namespace drydock::sim {

namespace {

// Values of `completed` events: a status as it is, a failure beyond all statuses.
constexpr std::uint64_t failure_base = 1000;

TransportFailure not_sent(TransportFailure::Cause cause) {
    return {.cause = cause, .progress = Progress::not_sent};
}

bool is_refused(const Made& fate) {
    const auto* chosen = fate.as<faults::Fate>();
    return chosen != nullptr && chosen->reply.kind == faults::Reply::Kind::not_sent;
}

Exchanged failed(Suspension& suspension, TransportFailure failure) {
    suspension.completed(failure_base + static_cast<std::uint64_t>(failure.cause));
    return failure;
}

Exchanged outcome_of(Suspension& suspension, Exchange& exchange, Settled<Delivery> settled) {
    if (settled.wake != Wake::done) {
        exchange.give_up();
        const auto cause = settled.wake == Wake::cancelled ? TransportFailure::Cause::cancelled
                                                           : TransportFailure::Cause::timeout;
        return failed(suspension, exchange.unanswered(cause));
    }
    if (!settled.value.is_reply) return failed(suspension, settled.value.failure);
    suspension.completed(static_cast<std::uint64_t>(settled.value.response.status));
    return std::move(settled.value.response);
}

}  // namespace

awaitable<Exchanged> SimTransport::exchange(Tag tag, Request request, Duration limit,
                                            Interrupt interrupt) {
    Simulation& simulation = program_.simulation();
    Suspension suspension(program_, tag, simulation.backend().addressed_by(request));
    if (suspension.is_chosen()) {
        const bool goes_on = co_await suspension.before(interrupt);
        if (!goes_on) {
            co_return failed(suspension, not_sent(TransportFailure::Cause::cancelled));
        }
        co_await suspension.arm_in_flight();
    }
    const Made fate = suspension.choice(faults::Aspect::fate);
    if (is_refused(fate)) {
        co_await async_sleep(suspension.executor(), simulation.options().uplink,
                             Interrupt::shielded, asio::deferred);
        if (suspension.is_chosen()) co_await suspension.with_completion();
        co_return failed(suspension, not_sent(TransportFailure::Cause::connect));
    }
    const auto exchange =
        std::make_shared<Exchange>(simulation, suspension.site(), std::move(request));
    exchange->set_fate(fate);
    exchange->set_delay(suspension.choice(faults::Aspect::delay));
    exchange->set_trait(suspension.choice(faults::Aspect::engine));
    auto start = [&simulation, exchange](Promise<Delivery> client) {
        simulation.network().send(exchange, client);
    };
    Settled<Delivery> settled = co_await async_pending<Delivery>(
        suspension.executor(), limit, interrupt, std::move(start), asio::deferred);
    if (suspension.is_chosen()) co_await suspension.with_completion();
    co_return outcome_of(suspension, *exchange, std::move(settled));
}

}  // namespace drydock::sim
