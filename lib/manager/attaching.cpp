#include "manager/attaching.hpp"

#include "manager/ending.hpp"
#include "manager/in_place.hpp"
#include "manager/naming.hpp"

#include <utility>

namespace drydock::detail {

namespace {

using Held = Result<std::shared_ptr<LiveSandbox>>;

ObligationPtr known_from_before(const KeyLease& lease, std::string_view key_or_id) {
    for (const ObligationPtr& obligation : lease.obligations) {
        const bool is_meant = lease.key == key_or_id || obligation->row.id == key_or_id;
        const bool is_there = obligation->row.state == LedgerRecord::State::created;
        if (is_meant && is_there && !obligation->torn_down) return obligation;
    }
    return nullptr;
}

std::shared_ptr<LiveSandbox> hold(const CorePtr& core, KeyLease& lease, LedgerRecord row,
                                  SandboxInfo sandbox) {
    auto live = std::make_shared<LiveSandbox>();
    live->core = core;
    live->key = lease.key;
    live->row = std::move(row);
    live->sandbox = std::move(sandbox);
    live->holders = 1;
    lease.live = live;
    return live;
}

Error not_running(const SandboxInfo& sandbox) {
    return Error({.kind = ErrorKind::provisioning,
                  .operation = Operation::container_inspect,
                  .message = "the sandbox is " + std::string(name(sandbox.state))});
}

// Holds it while it reads, so that nobody tears it down meanwhile.
awaitable<Held> attach_shared(CorePtr core, std::shared_ptr<LiveSandbox> live) {
    ++live->holders;
    const InPlace in_place{core, Interrupt::allowed, [] { return false; }};
    const LedgerRecord row = live->row;
    Result<SandboxInfo> read = co_await in_place.inspect(row, row.id);
    const bool is_given_up = co_await is_cancelled();
    if (live->released) {
        co_return Error({.kind = ErrorKind::not_found, .message = "no longer to be had"});
    }
    if (!is_given_up && read && read->state == SandboxState::running) co_return live;
    give_back(core, live);
    if (is_given_up) co_return given_up(Wake::cancelled);
    if (!read) co_return read.error();
    co_return not_running(*read);
}

awaitable<Held> attach_known(CorePtr core, std::shared_ptr<KeyLease> lease,
                             ObligationPtr obligation) {
    const InPlace in_place{core, Interrupt::allowed, [] { return false; }};
    const LedgerRecord row = obligation->row;
    Result<SandboxInfo> read = co_await in_place.inspect(row, row.id);
    const bool is_given_up = co_await is_cancelled();
    if (is_given_up) co_return given_up(Wake::cancelled);
    if (!read) co_return read.error();
    if (read->state != SandboxState::running || !is_of_row(*read, row)) {
        co_return not_running(*read);
    }
    // While this one read, the manager may have been closed, and another call may have begun the
    // sandbox's teardown or attached to it.
    if (core->closed) co_return refused("the manager is closed");
    const bool is_shared = lease->live && lease->live->row.id == row.id;
    if (is_shared) {
        ++lease->live->holders;
        co_return lease->live;
    }
    if (obligation->torn_down || lease->live) {
        co_return Error({.kind = ErrorKind::not_found, .message = "no longer to be had"});
    }
    std::erase(lease->obligations, obligation);
    co_return hold(core, *lease, row, std::move(*read));
}

}  // namespace

awaitable<Held> attach_live(CorePtr core, std::string key_or_id) {
    if (core->closed) co_return refused("the manager is closed");
    for (const auto& [key, lease] : core->keys) {
        const auto& live = lease->live;
        if (live && (key == key_or_id || live->row.id == key_or_id)) {
            Held attached = co_await attach_shared(core, live);
            co_return attached;
        }
        const ObligationPtr known = known_from_before(*lease, key_or_id);
        if (known) {
            Held attached = co_await attach_known(core, lease, known);
            co_return attached;
        }
    }
    co_return Error({.kind = ErrorKind::not_found, .message = "no sandbox of that key or id"});
}

}  // namespace drydock::detail
