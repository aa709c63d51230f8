#include "seams/suspension.hpp"

#include <drydock/sim/sleep.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>

namespace drydock::sim {

namespace {

faults::Site with_aspect(faults::Site site, faults::Aspect aspect) {
    site.aspect = aspect;
    return site;
}

// The flow on which the suspended call runs: an actor's own, or 0 for work in a nursery.
awaitable<std::uint32_t> current_lane() {
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    const Executor* ours = sim_executor(executor);
    co_return ours == nullptr ? 0 : ours->lane();
}

}  // namespace

Suspension::Suspension(Program& program, Tag tag, std::uint32_t subject)
    : program_(program),
      site_(program.begin(tag, subject)),
      cancel_(choice(faults::Aspect::cancel)),
      crash_(choice(faults::Aspect::crash)) {
    if (is_chosen()) state_ = std::make_shared<State>(program_, site_, cancel_, crash_);
}

Made Suspension::choice(faults::Aspect aspect) const {
    return program_.simulation().choices().at(with_aspect(site_, aspect));
}

Duration Suspension::chosen_delay() const {
    const Made delay = choice(faults::Aspect::delay);
    const auto* longer = delay.as<faults::Delay>();
    if (longer == nullptr) return Duration::zero();
    delay.facts->waited_longer = true;
    return longer->by;
}

std::size_t Suspension::strikes() const {
    const auto* cancel = cancel_.as<faults::Cancel>();
    return cancel == nullptr ? 0 : cancel->strikes.size();
}

bool Suspension::falls(faults::Moment moment, std::size_t index) const {
    return cancel_.as<faults::Cancel>()->strikes[index].moment == moment;
}

void Suspension::State::strike(std::size_t index, std::uint32_t lane) {
    const auto& struck = cancel.as<faults::Cancel>()->strikes[index];
    const std::uint32_t calls = program.strike ? program.strike(site.lease, lane, struck.actor) : 0;
    auto& counts = cancel.facts->calls_struck;
    if (counts.size() <= index) counts.resize(index + 1);
    counts[index] += calls;
    program.simulation().trace({.kind = EventKind::struck,
                                .operation = static_cast<std::uint8_t>(site.operation),
                                .process = site.process,
                                .lease = site.lease,
                                .n = site.n,
                                .value = calls});
}

void Suspension::State::die() {
    crash.facts->crashed_alive = program.is_alive();
    program.crash();
}

// Each strike comes from outside, as a real one does: from a callback, while this coroutine is
// suspended, with everything that it sets off done before the next one. The callback belongs to the
// process, because Asio's cancellation is only safe from inside its executor (asio #1332).
awaitable<Wake> Suspension::strike_all(faults::Moment moment, Interrupt interrupt) {
    const std::uint32_t lane = co_await current_lane();
    World& world = program_.simulation().world();
    Wake last = Wake::done;
    for (std::size_t i = 0; i < strikes(); ++i) {
        if (!falls(moment, i)) continue;
        world.call_after(*program_.process(), Duration::zero(),
                         [state = state_, i, lane] { state->strike(i, lane); });
        const Wake wake =
            co_await async_sleep(executor(), Duration::zero(), interrupt, asio::deferred);
        if (wake == Wake::cancelled) last = wake;
    }
    const auto* crash = crash_.as<faults::Crash>();
    if (crash != nullptr && crash->moment == moment) {
        world.call_after(Duration::zero(), [state = state_] { state->die(); });
        co_await async_sleep(executor(), Duration::zero(), Interrupt::shielded, asio::deferred);
    }
    co_return last;
}

awaitable<bool> Suspension::before(Interrupt interrupt) {
    if (program_.has_run_away()) {
        co_await async_sleep(executor(), unlimited, Interrupt::shielded, asio::deferred);
    }
    const Wake wake = co_await strike_all(faults::Moment::before, interrupt);
    co_return wake != Wake::cancelled;
}

awaitable<void> Suspension::arm_in_flight() {
    const std::uint32_t lane = co_await current_lane();
    World& world = program_.simulation().world();
    for (std::size_t i = 0; i < strikes(); ++i) {
        if (!falls(faults::Moment::in_flight, i)) continue;
        world.call_after(*program_.process(), Duration::zero(), [state = state_, i, lane] {
            if (state->is_pending) state->strike(i, lane);
        });
    }
    const auto* crash = crash_.as<faults::Crash>();
    if (crash != nullptr && crash->moment == faults::Moment::in_flight) {
        world.call_after(Duration::zero(), [state = state_] {
            if (state->is_pending) state->die();
        });
    }
}

awaitable<void> Suspension::with_completion() {
    state_->is_pending = false;
    co_await strike_all(faults::Moment::with_completion, Interrupt::shielded);
}

}  // namespace drydock::sim
