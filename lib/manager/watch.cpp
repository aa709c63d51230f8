#include "manager/watch.hpp"

#include "manager/in_place.hpp"
#include "manager/teardown.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace drydock::detail {

namespace {

Duration until_horizon(const Core& core, const LedgerRecord& row) {
    return row.may_land_until ? *row.may_land_until - core.runtime.wall_now() : Duration::zero();
}

// True if nothing is there. What is there, or was known to be, is torn down first.
awaitable<bool> look_once(CorePtr core, std::shared_ptr<KeyLease> lease, ObligationPtr obligation,
                          bool is_last) {
    LedgerRecord& row = obligation->row;
    const Time until = core->runtime.now() + core->policy.request_timeout;
    Found found;
    if (is_last) {
        found = co_await look_up(core, row, Operation::late_lookup, until);
    } else {
        found = co_await look_up_by_name(core, row, Operation::late_lookup, until);
    }
    if (!found) co_return false;
    if (*found) {
        row.id = (*found)->id;
        row.state = LedgerRecord::State::created;
    }
    if (!obligation->may_exist()) co_return true;
    pursue(core, lease, obligation);
    co_await wait_torn_down(core, row.key, obligation);
    co_return false;
}

// Past the horizon, one who waits for the end of a closing manager is not kept by what cannot be
// removed.
bool goes_on(const Core& core, bool is_last) {
    return !core.stops_watching && !core.abandoned && !(core.closed && is_last);
}

awaitable<void> watch_row(CorePtr core, std::shared_ptr<KeyLease> lease, ObligationPtr obligation) {
    co_await asio::this_coro::throw_if_cancelled(false);
    LedgerRecord& row = obligation->row;
    bool is_met = false;
    for (bool is_last = false; !is_met && goes_on(*core, is_last);) {
        const Duration left = until_horizon(*core, row);
        const Duration delay = left > Duration::zero() ? std::min(core->policy.late_watch, left)
                                                       : core->policy.late_watch;
        const Wake wake = co_await core->runtime.sleep(Tag(Operation::late_wait, row.key), delay,
                                                       Interrupt::allowed);
        if (wake == Wake::cancelled) break;
        is_last = until_horizon(*core, row) <= Duration::zero();
        const bool is_absent = co_await look_once(core, lease, obligation, is_last);
        is_met = is_last && is_absent;
    }
    obligation->watched = false;
    if (!is_met) co_return;
    row.state = LedgerRecord::State::closed;
    Result<void> written = co_await core->ledger.put(row);
    static_cast<void>(written);
    std::erase(lease->obligations, obligation);
}

}  // namespace

void watch(const CorePtr& core, const std::shared_ptr<KeyLease>& lease,
           const ObligationPtr& obligation) {
    if (obligation->watched || core->stops_watching) return;
    obligation->watched = true;
    core->watches.spawn(watch_row(core, lease, obligation), obligation->stop_watch);
}

void stop_watching(Core& core) {
    core.stops_watching = true;
    for (const auto& [key, lease] : core.keys) {
        const Obligations obligations = lease->obligations;
        for (const ObligationPtr& obligation : obligations)
            obligation->stop_watch.emit(asio::cancellation_type::terminal);
    }
}

}  // namespace drydock::detail
