#pragma once

#include "manager/core.hpp"

#include <drydock/lease.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <utility>

namespace drydock::detail {

/// One acquire of a key, whoever waits for it: attempts until a sandbox is live, or the last
/// failure is torn down. Runs in the nursery; what cancels it is `stop`, and that only keeps it
/// from going on, never from tearing down.
class Flight : public std::enable_shared_from_this<Flight> {
public:
    Flight(CorePtr core, std::shared_ptr<KeyLease> lease, LeaseRequest request);

    void begin();

    /// Latched: also one that falls between two steps ends the attempt. The first reason stays.
    void stop(ErrorKind reason);
    bool is_stopping() const noexcept { return stop_reason_.has_value(); }

    /// Set when the flight has ended, its teardown included.
    Event& ended() noexcept { return *ended_; }
    /// Only after `ended`, and only without a live sandbox.
    const Error& error() const noexcept { return *error_; }
    bool succeeded() const noexcept { return !error_.has_value(); }
    /// Only after `ended`, and only if it succeeded.
    const std::shared_ptr<LiveSandbox>& live() const noexcept { return live_; }

    /// Calls that wait for it. They hold the sandbox from the moment it is live.
    std::size_t waiters = 0;

private:
    /// One that got its sandbox live.
    struct Attempt {
        LedgerRecord row;
        SandboxInfo sandbox;

        Attempt(LedgerRecord given_row, SandboxInfo given_sandbox)
            : row(std::move(given_row)), sandbox(std::move(given_sandbox)) {}
    };

    awaitable<void> run();
    awaitable<Result<void>> prepare_staging();
    awaitable<std::optional<Attempt>> attempt_until_live();
    awaitable<bool> back_off(std::uint32_t tries);
    awaitable<Result<SandboxInfo>> try_once(LedgerRecord& row);
    awaitable<Result<void>> write_intent(LedgerRecord& row);
    awaitable<Result<void>> make(LedgerRecord& row);
    awaitable<Result<SandboxInfo>> make_ready(const LedgerRecord& row);
    awaitable<Result<void>> bootstrap(const LedgerRecord& row, const SandboxInfo& sandbox);
    awaitable<bool> dispose(LedgerRecord row);
    awaitable<void> roll_back();
    awaitable<void> clean_up_staging(Time until, Interrupt interrupt);
    awaitable<void> run_clean_up(Time until);

    LedgerRecord next_row();
    void hand_out(LedgerRecord row, SandboxInfo sandbox);
    void fail(const Error& error);
    Error primary(const Error& failure) const;
    Error rolled_back_badly(const Error& failure, Time until) const;
    Error stopped() const;

    CorePtr core_;
    std::shared_ptr<KeyLease> lease_;
    LeaseRequest request_;
    std::uint32_t acquisition_;
    std::unique_ptr<Event> ended_;
    asio::cancellation_signal signal_;
    std::optional<ErrorKind> stop_reason_;
    std::optional<Error> error_;
    std::shared_ptr<LiveSandbox> live_;
    std::optional<Time> teardown_until_;  // from the last failure
    bool is_staged_ = false;
    std::unique_ptr<Event> cleaned_;  // once the clean-up of the staging has begun
    std::optional<Error> unclean_;
};

}  // namespace drydock::detail
