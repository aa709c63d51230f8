#pragma once

#include "manager/nursery.hpp"

#include <drydock/backend.hpp>
#include <drydock/ledger.hpp>
#include <drydock/retry.hpp>
#include <drydock/runtime.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::detail {

class Flight;
struct Core;

/// A row that must be met: its sandbox confirmed gone, and no create of it able to land. Whoever
/// needs it gone calls `pursue` and waits for `torn_down`; there is one teardown of a row at a
/// time.
struct ObligationEntry {
    LedgerRecord row;
    std::shared_ptr<Event> torn_down;  ///< of the teardown under way; null while there is none
    bool watched = false;              ///< a watch looks for late landings of this row
    bool is_unwritten = false;         ///< it was adopted, and the ledger does not say so yet
    asio::cancellation_signal stop_watch;

    bool is_under_way() const noexcept { return torn_down && !torn_down->is_set(); }
    /// A sandbox of this row exists or may exist now, as far as we know. A create that may only
    /// land later does not count: it has its watch.
    bool may_exist() const noexcept {
        return row.state == LedgerRecord::State::intent ||
               row.state == LedgerRecord::State::created;
    }
};
using ObligationPtr = std::shared_ptr<ObligationEntry>;
using Obligations = std::vector<ObligationPtr>;

struct KeyLease;

/// What this process knows of the jobs in a sandbox; see jobs/session.hpp.
struct SandboxJobs;

/// A sandbox that was handed out. Handles share it; it is stale once its last holder is gone.
struct LiveSandbox {
    std::weak_ptr<Core> core;
    std::string key;
    LedgerRecord row;
    SandboxInfo sandbox;
    std::size_t holders = 0;
    bool released = false;
    std::shared_ptr<SandboxJobs> jobs;  ///< null until there is one
};

/// Everything that is known of one key.
struct KeyLease {
    std::string key;
    std::uint32_t last_attempt = 0;
    std::uint32_t last_acquisition = 0;
    std::shared_ptr<Flight> flight;     ///< while an acquire is under way or ends
    std::shared_ptr<LiveSandbox> live;  ///< while it is held
    Obligations obligations;            ///< in order of attempt
};

/// What the manager, its handles and its nursery's coroutines share.
struct Core : std::enable_shared_from_this<Core> {
    Core(Runtime& given_runtime, Backend& given_backend, Ledger& given_ledger, Policy given_policy);

    Runtime& runtime;
    Backend& backend;
    Ledger& ledger;
    Policy policy;
    std::string owner;
    std::map<std::string, std::shared_ptr<KeyLease>, std::less<>> keys;
    Nursery nursery;  ///< flights and teardowns: what close waits for
    Nursery watches;  ///< what close(wait_late) waits for too
    bool closed = false;
    bool stops_watching = false;  ///< what may still land is the ledger's
    bool abandoned = false;       ///< close(deadline) handed the rest to the ledger: stop working

    std::shared_ptr<KeyLease> find(std::string_view key) const;
    std::shared_ptr<KeyLease> find_or_add(std::string_view key);
    /// The limit of one exchange that must not outlast `until`.
    Duration limit_until(Time until) const;
};
using CorePtr = std::shared_ptr<Core>;

/// Notes that a create of this row was given up now: it may land until the horizon.
void note_given_up(const Core& core, LedgerRecord& row);

}  // namespace drydock::detail
