#include "manager/ending.hpp"

#include "manager/flight.hpp"
#include "manager/teardown.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace drydock::detail {

Error refused(std::string message) {
    return Error({.kind = ErrorKind::invalid, .message = std::move(message)});
}

Error given_up(Wake wake) {
    const ErrorKind kind = wake == Wake::timed_out ? ErrorKind::deadline : ErrorKind::cancelled;
    return Error({.kind = kind, .message = "the call was given up"});
}

awaitable<bool> is_cancelled() {
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    co_return state.cancelled() != asio::cancellation_type::none;
}

std::optional<Error> left_of(const Obligations& obligations) {
    for (const ObligationPtr& obligation : obligations) {
        if (obligation->may_exist()) return not_torn_down(obligation->row);
    }
    return std::nullopt;
}

void pursue_all(const CorePtr& core, const std::shared_ptr<KeyLease>& lease) {
    for (const ObligationPtr& obligation : lease->obligations) {
        if (obligation->may_exist()) pursue(core, lease, obligation);
    }
}

Teardowns under_way(const KeyLease& lease) {
    Teardowns teardowns;
    for (const ObligationPtr& obligation : lease.obligations) {
        if (obligation->is_under_way()) teardowns.push_back(obligation->torn_down);
    }
    return teardowns;
}

awaitable<void> wait_all(CorePtr core, std::string key, Teardowns teardowns) {
    for (const std::shared_ptr<Event>& torn_down : teardowns) {
        co_await core->runtime.wait(Tag(Operation::join, key), *torn_down, std::nullopt,
                                    Interrupt::shielded);
    }
}

namespace {

// By value: the lease's own pointer to it is reset here.
ObligationPtr begin_release(const CorePtr& core, std::shared_ptr<LiveSandbox> live) {
    live->released = true;
    const auto lease = core->find(live->key);
    lease->live.reset();
    ObligationPtr obligation = add_obligation(*lease, live->row);
    pursue(core, lease, obligation);
    return obligation;
}

// Ends the flight that the key has now, if any, and waits until it has: a later one is a later
// caller's.
awaitable<void> end_flight(CorePtr core, std::shared_ptr<KeyLease> lease) {
    const std::shared_ptr<Flight> flight = lease->flight;
    if (!flight) co_return;
    flight->stop(ErrorKind::cancelled);
    co_await core->runtime.wait(Tag(Operation::join, lease->key), flight->ended(), std::nullopt,
                                Interrupt::shielded);
}

}  // namespace

ObligationPtr give_back(const CorePtr& core, const std::shared_ptr<LiveSandbox>& live) {
    if (live->released || live->holders == 0) return nullptr;
    if (--live->holders > 0) return nullptr;
    return begin_release(core, live);
}

awaitable<Result<void>> release_live(CorePtr core, std::shared_ptr<LiveSandbox> live) {
    const ObligationPtr obligation = give_back(core, live);
    if (!obligation) co_return Result<void>();
    co_await wait_torn_down(core, live->key, obligation);
    if (obligation->may_exist()) co_return not_torn_down(obligation->row);
    co_return Result<void>();
}

// Joins what is ending already; one teardown deadline is all that a caller waits for.
awaitable<Result<void>> clean_up_key(CorePtr core, std::string key) {
    if (core->closed) co_return refused("the manager is closed");
    const auto lease = core->find(key);
    if (!lease) co_return Result<void>();
    Teardowns teardowns = under_way(*lease);
    const bool joins = lease->flight || !teardowns.empty();
    co_await end_flight(core, lease);
    if (lease->live) teardowns.push_back(begin_release(core, lease->live)->torn_down);
    if (!joins) {
        pursue_all(core, lease);
        teardowns = under_way(*lease);
    }
    const Obligations owed = lease->obligations;
    co_await wait_all(core, key, std::move(teardowns));
    const std::optional<Error> left = left_of(owed);
    if (left) co_return *left;
    co_return Result<void>();
}

awaitable<void> end_key(CorePtr core, std::string key) {
    const auto lease = core->find(key);
    co_await end_flight(core, lease);
    if (lease->live) begin_release(core, lease->live);
}

}  // namespace drydock::detail
