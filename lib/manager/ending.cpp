#include "manager/ending.hpp"

#include "manager/flight.hpp"
#include "manager/teardown.hpp"

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

Error remaining(const KeyLease& lease) {
    for (const ObligationPtr& obligation : lease.obligations) {
        if (obligation->may_exist()) return not_torn_down(obligation->row);
    }
    return Error({.kind = ErrorKind::teardown, .message = "a sandbox is not confirmed gone"});
}

bool has_remaining(const KeyLease& lease) {
    return std::any_of(lease.obligations.begin(), lease.obligations.end(),
                       [](const ObligationPtr& entry) { return entry->may_exist(); });
}

bool is_tearing_down(const KeyLease& lease) {
    return std::any_of(lease.obligations.begin(), lease.obligations.end(),
                       [](const ObligationPtr& entry) { return entry->is_under_way(); });
}

void pursue_all(const CorePtr& core, const std::shared_ptr<KeyLease>& lease) {
    for (const ObligationPtr& obligation : lease->obligations) {
        if (obligation->may_exist()) pursue(core, lease, obligation);
    }
}

awaitable<void> wait_all(CorePtr core, std::shared_ptr<KeyLease> lease) {
    const std::vector<ObligationPtr> obligations = lease->obligations;
    for (const ObligationPtr& obligation : obligations) {
        co_await wait_torn_down(core, lease->key, obligation);
    }
}

namespace {

// By value: the lease's own pointer to it is reset here.
void begin_release(const CorePtr& core, std::shared_ptr<LiveSandbox> live) {
    live->released = true;
    const auto lease = core->find(live->key);
    lease->live.reset();
    pursue(core, lease, add_obligation(*lease, live->row));
}

// Ends the key's flight, if any, and waits until it has.
awaitable<void> end_flight(CorePtr core, std::shared_ptr<KeyLease> lease) {
    while (lease->flight) {
        const std::shared_ptr<Flight> flight = lease->flight;
        flight->stop(ErrorKind::cancelled);
        co_await core->runtime.wait(Tag(Operation::join, lease->key), flight->ended(),
                                    std::nullopt, Interrupt::shielded);
    }
}

}  // namespace

void give_back(const CorePtr& core, const std::shared_ptr<LiveSandbox>& live) {
    if (live->released || live->holders == 0) return;
    if (--live->holders == 0) begin_release(core, live);
}

awaitable<Result<void>> release_live(CorePtr core, std::shared_ptr<LiveSandbox> live) {
    const auto lease = core->find(live->key);
    const bool is_last = !live->released && live->holders == 1;
    give_back(core, live);
    if (!is_last) co_return Result<void>();
    co_await wait_all(core, lease);
    if (has_remaining(*lease)) co_return remaining(*lease);
    co_return Result<void>();
}

// Joins what is ending already; one teardown deadline is all that a caller waits for.
awaitable<Result<void>> clean_up_key(CorePtr core, std::string key) {
    const auto lease = core->find(key);
    if (!lease) co_return Result<void>();
    const bool joins = lease->flight || is_tearing_down(*lease);
    co_await end_flight(core, lease);
    if (lease->live) begin_release(core, lease->live);
    if (!joins) pursue_all(core, lease);
    co_await wait_all(core, lease);
    if (has_remaining(*lease)) co_return remaining(*lease);
    co_return Result<void>();
}

awaitable<void> end_key(CorePtr core, std::string key) {
    const auto lease = core->find(key);
    co_await end_flight(core, lease);
    if (lease->live) begin_release(core, lease->live);
}

}  // namespace drydock::detail
