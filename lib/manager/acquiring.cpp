#include "manager/acquiring.hpp"

#include "manager/ending.hpp"
#include "manager/flight.hpp"
#include "manager/teardown.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace drydock::detail {

namespace {

using Held = Result<std::shared_ptr<LiveSandbox>>;

// Waits as one of the flight's waiters; the first begins it. Who leaves last stops it, and stays
// until it has ended. The flight is held here: one whose steps all end at once has left its key
// when `begin` returns.
awaitable<Held> wait_for_flight(CorePtr core, std::shared_ptr<KeyLease> lease,
                                std::shared_ptr<Flight> flight, std::optional<Time> until) {
    const Tag tag{Operation::join, lease->key};
    if (++flight->waiters == 1) flight->begin();
    const Wake wake = co_await core->runtime.wait(tag, flight->ended(), until, Interrupt::allowed);
    const bool ended_first = flight->ended().is_set();
    if (wake == Wake::done) {
        if (!flight->succeeded()) co_return flight->error();
        // Between the flight's end and this call's turn, a cleanup may have taken it back.
        if (flight->live()->released) co_return given_up(Wake::cancelled);
        co_return flight->live();
    }
    if (ended_first && flight->succeeded()) {
        // The sandbox was ours already at the moment of the cancel: it is given back.
        const ObligationPtr obligation = give_back(core, flight->live());
        if (obligation) co_await wait_torn_down(core, lease->key, obligation);
        co_return given_up(wake);
    }
    if (ended_first) co_return flight->error();
    if (--flight->waiters > 0) co_return given_up(wake);
    flight->stop(wake == Wake::timed_out ? ErrorKind::deadline : ErrorKind::cancelled);
    co_await core->runtime.wait(tag, flight->ended(), std::nullopt, Interrupt::shielded);
    co_return flight->error();
}

// Until what may exist of the key is torn down, or the caller gives up.
awaitable<Wake> join_teardowns(CorePtr core, std::shared_ptr<KeyLease> lease,
                               std::optional<Time> until) {
    if (under_way(*lease).empty()) pursue_all(core, lease);
    const Teardowns teardowns = under_way(*lease);
    for (const std::shared_ptr<Event>& torn_down : teardowns) {
        const Wake wake = co_await core->runtime.wait(Tag(Operation::join, lease->key), *torn_down,
                                                      until, Interrupt::allowed);
        if (wake != Wake::done) co_return wake;
    }
    co_return Wake::done;
}

std::optional<Time> work_until(const Core& core, const LeaseRequest& request) {
    const std::optional<Duration> deadline =
        request.deadline ? request.deadline : core.policy.deadline;
    if (!deadline) return std::nullopt;
    const Duration work = std::max(*deadline - core.policy.teardown_deadline, Duration::zero());
    return core.runtime.now() + work;
}

// The latch of a public call: a cancel that fell while it was not suspended.
awaitable<bool> is_cancelled() {
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    co_return state.cancelled() != asio::cancellation_type::none;
}

// Until the flight that nobody wants any more has ended.
awaitable<Wake> join_ending_flight(CorePtr core, std::shared_ptr<KeyLease> lease,
                                   std::optional<Time> until) {
    const std::shared_ptr<Flight> ending = lease->flight;
    const Wake wake = co_await core->runtime.wait(Tag(Operation::join, lease->key), ending->ended(),
                                                  until, Interrupt::allowed);
    co_return wake;
}

}  // namespace

awaitable<Held> acquire_live(CorePtr core, LeaseRequest request) {
    const auto lease = core->find_or_add(request.key);
    const std::optional<Time> until = work_until(*core, request);
    for (;;) {
        const bool is_given_up = co_await is_cancelled();
        if (is_given_up) co_return given_up(Wake::cancelled);
        if (core->closed) co_return refused("the manager is closed");
        if (lease->live) {
            ++lease->live->holders;
            co_return lease->live;
        }
        Wake joined = Wake::done;
        if (lease->flight && lease->flight->is_stopping()) {
            joined = co_await join_ending_flight(core, lease, until);
        } else if (!lease->flight && left_of(lease->obligations)) {
            joined = co_await join_teardowns(core, lease, until);
        } else {
            if (!lease->flight) {
                lease->flight = std::make_shared<Flight>(core, lease, std::move(request));
            }
            Held outcome = co_await wait_for_flight(core, lease, lease->flight, until);
            co_return outcome;
        }
        if (joined != Wake::done) co_return given_up(joined);
        const std::optional<Error> left = left_of(lease->obligations);
        if (left) co_return *left;
    }
}

}  // namespace drydock::detail
