#include "manager/acquiring.hpp"

#include "manager/ending.hpp"
#include "manager/flight.hpp"
#include "manager/teardown.hpp"

#include <drydock/utf8.hpp>

#include <algorithm>
#include <utility>

namespace drydock::detail {

namespace {

using Held = Result<std::shared_ptr<LiveSandbox>>;

// The whole call's limit, and the one for its work, which leaves the teardown its reserve.
struct Limits {
    std::optional<Time> work;
    std::optional<Time> whole;
};

std::optional<Duration> deadline_of(const Core& core, const LeaseRequest& request) {
    return request.deadline ? request.deadline : core.policy.deadline;
}

Limits limits_of(const Core& core, const LeaseRequest& request) {
    const std::optional<Duration> deadline = deadline_of(core, request);
    if (!deadline) return {};
    const Time whole = core.runtime.now() + *deadline;
    return {.work = whole - core.policy.teardown_deadline, .whole = whole};
}

std::optional<Error> why_refused(const Core& core, const LeaseRequest& request) {
    const std::optional<Duration> deadline = deadline_of(core, request);
    if (deadline && *deadline <= core.policy.teardown_deadline) {
        return refused(
            "the deadline leaves no time for work: it must be longer than the teardown's");
    }
    if (request.key.empty()) return refused("the key is empty");
    if (first_invalid_utf8(request.key)) return refused("the key is not UTF-8");
    return std::nullopt;
}

// The flight goes on without the caller: what it leaves is the nursery's and the ledger's.
Error left_to_nursery(Wake wake) { return given_up(wake).with_obligation(Obligation::remains); }

// Waits as one of the flight's waiters; the first begins it. Who leaves last stops it, and stays
// until it has ended. The flight is held here: one whose steps all end at once has left its key
// when `begin` returns.
awaitable<Held> wait_for_flight(CorePtr core, std::shared_ptr<KeyLease> lease,
                                std::shared_ptr<Flight> flight, Limits limits) {
    const Tag tag{Operation::join, lease->key};
    if (++flight->waiters == 1) flight->begin();
    const Wake wake =
        co_await core->runtime.wait(tag, flight->ended(), limits.work, Interrupt::allowed);
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
    const Wake ended =
        co_await core->runtime.wait(tag, flight->ended(), limits.whole, Interrupt::shielded);
    if (ended == Wake::timed_out) co_return left_to_nursery(wake);
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
    const std::optional<Error> refusal = why_refused(*core, request);
    if (refusal) co_return *refusal;
    const auto lease = core->find_or_add(request.key);
    const Limits limits = limits_of(*core, request);
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
            joined = co_await join_ending_flight(core, lease, limits.work);
        } else if (!lease->flight && left_of(lease->obligations)) {
            joined = co_await join_teardowns(core, lease, limits.work);
        } else {
            if (!lease->flight) {
                lease->flight = std::make_shared<Flight>(core, lease, std::move(request));
            }
            Held outcome = co_await wait_for_flight(core, lease, lease->flight, limits);
            co_return outcome;
        }
        if (joined != Wake::done) co_return given_up(joined);
        const std::optional<Error> left = left_of(lease->obligations);
        if (left) co_return *left;
    }
}

}  // namespace drydock::detail
