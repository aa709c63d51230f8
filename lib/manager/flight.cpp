#include "manager/flight.hpp"

#include "manager/in_place.hpp"
#include "manager/naming.hpp"
#include "manager/teardown.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace drydock::detail {

Flight::Flight(CorePtr core, std::shared_ptr<KeyLease> lease, LeaseRequest request)
    : core_(std::move(core)),
      lease_(std::move(lease)),
      request_(std::move(request)),
      acquisition_(++lease_->last_acquisition),
      ended_(core_->runtime.make_event()) {}

namespace {

awaitable<void> keep_alive([[maybe_unused]] std::shared_ptr<Flight> flight, awaitable<void> body) {
    // A cancelled step is a value in a flight; nothing may throw past its teardown.
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await std::move(body);
}

}  // namespace

void Flight::begin() { core_->nursery.spawn(keep_alive(shared_from_this(), run()), signal_); }

void Flight::stop(ErrorKind reason) {
    if (!stop_reason_) stop_reason_ = reason;
    signal_.emit(asio::cancellation_type::terminal);
}

awaitable<void> Flight::run() {
    Result<void> staged = co_await prepare_staging();
    std::optional<Attempt> live;
    if (staged) {
        live = co_await attempt_until_live();
    } else {
        fail(staged.error());
    }
    if (live) {
        const Time until = core_->runtime.now() + core_->policy.teardown_deadline;
        co_await clean_up_staging(until, Interrupt::allowed);
    }
    if (live && is_stopping()) {
        fail(stopped());
        co_await dispose(std::move(live->row));
        live.reset();
    }
    if (live) {
        hand_out(std::move(live->row), std::move(live->sandbox));
    } else {
        co_await roll_back();
    }
    lease_->flight.reset();
    ended_->set();
}

awaitable<Result<void>> Flight::prepare_staging() {
    if (!request_.staging || !request_.staging->prepare) co_return Result<void>();
    if (is_stopping()) co_return stopped();
    is_staged_ = true;
    Result<void> prepared =
        co_await core_->runtime.call(Tag(Operation::staging, lease_->key),
                                     request_.staging->prepare, std::nullopt, Interrupt::allowed);
    if (!prepared) co_return primary(prepared.error());
    co_return prepared;
}

awaitable<std::optional<Flight::Attempt>> Flight::attempt_until_live() {
    for (std::uint32_t tries = 1;; ++tries) {
        LedgerRecord row = next_row();
        Result<SandboxInfo> outcome = co_await try_once(row);
        if (outcome) {
            error_.reset();
            co_return Attempt(std::move(row), std::move(*outcome));
        }
        const Error failure = outcome.error();
        fail(failure);
        const bool is_gone = co_await dispose(std::move(row));
        // Fail closed: what may exist is not confirmed gone, so nothing more is created (S1).
        if (!is_gone) co_return std::nullopt;
        const bool is_last = tries >= core_->policy.attempts || !is_transient(failure.kind());
        if (is_last || is_stopping()) co_return std::nullopt;
        const bool goes_on = co_await back_off(tries);
        if (goes_on) continue;
        fail(stopped());
        co_return std::nullopt;
    }
}

awaitable<bool> Flight::back_off(std::uint32_t tries) {
    const Duration delay = delay_after(core_->policy.backoff, tries, core_->runtime.random_bits());
    const Wake wake = co_await core_->runtime.sleep(Tag(Operation::backoff, lease_->key), delay,
                                                    Interrupt::allowed);
    co_return wake == Wake::done && !is_stopping();
}

// Each step is followed by a look at the latch: a cancel that fell while nothing was suspended, or
// that met a completed step, must end the attempt too.
awaitable<Result<SandboxInfo>> Flight::try_once(LedgerRecord& row) {
    Result<void> intended = co_await write_intent(row);
    if (!intended) co_return primary(intended.error());
    if (is_stopping()) co_return stopped();
    Result<void> made = co_await make(row);
    if (!made) co_return primary(made.error());
    if (is_stopping()) co_return stopped();
    Result<SandboxInfo> ready = co_await make_ready(row);
    if (!ready) co_return primary(ready.error());
    if (is_stopping()) co_return stopped();
    Result<void> usable = co_await bootstrap(row, *ready);
    if (!usable) co_return primary(usable.error());
    if (is_stopping()) co_return stopped();
    co_return ready;
}

awaitable<Result<void>> Flight::write_intent(LedgerRecord& row) {
    if (is_stopping()) co_return stopped();
    row.state = LedgerRecord::State::intent;
    Result<void> written = co_await core_->ledger.put(row);
    // Nothing is sent without a record.
    if (!written) row.state = LedgerRecord::State::closed;
    co_return written;
}

awaitable<Result<void>> Flight::make(LedgerRecord& row) {
    const InPlace in_place{core_, Interrupt::allowed, [this] { return is_stopping(); }};
    Result<std::string> created = co_await in_place.create(row, request_.spec);
    if (!created) {
        const Error error = created.error();
        // An answer proves nothing about what it left behind; only what was never sent is nowhere.
        const bool is_nowhere =
            error.landed() == Landed::no && error.status() == 0 && !row.may_land_until;
        if (is_nowhere) row.state = LedgerRecord::State::absent;
        co_return error;
    }
    row.id = std::move(*created);
    row.state = LedgerRecord::State::created;
    // A record not written leaves the intent open; the sandbox is found by name then.
    Result<void> written = co_await core_->ledger.put(row);
    static_cast<void>(written);
    co_return Result<void>();
}

// Starts, and reads until the sandbox runs: only a read by id says so.
awaitable<Result<SandboxInfo>> Flight::make_ready(const LedgerRecord& row) {
    const Time until = core_->runtime.now() + core_->policy.ready_timeout;
    const InPlace in_place{core_, Interrupt::allowed, [this] { return is_stopping(); }};
    Result<void> started = co_await in_place.start(row);
    if (!started) co_return started.error();
    while (!is_stopping()) {
        Result<SandboxInfo> read = co_await in_place.inspect(row, row.id);
        const bool is_unseen = !read && read.error().kind() == ErrorKind::not_found;
        if (!read && !is_unseen) co_return read.error();
        if (read && read->state == SandboxState::running) co_return read;
        if (read && read->state >= SandboxState::stopped) {
            co_return Error({.kind = ErrorKind::provisioning,
                             .landed = Landed::yes,
                             .operation = Operation::container_start,
                             .message = std::string(name(read->state)) + " before it was ready" +
                                        (read->detail.empty() ? "" : ": " + read->detail)});
        }
        if (core_->runtime.now() >= until) {
            co_return Error({.kind = ErrorKind::provisioning,
                             .landed = Landed::yes,
                             .operation = Operation::container_start,
                             .message = "not ready in time"});
        }
        if (is_stopping()) break;
        const Wake wake = co_await core_->runtime.sleep(Tag(Operation::settle, row.key),
                                                        core_->policy.settle, Interrupt::allowed);
        if (wake != Wake::done) break;
        const bool is_not_started = read && read->state == SandboxState::created;
        if (!is_not_started || is_stopping()) continue;
        Result<void> again = co_await in_place.start(row);
        if (!again) co_return again.error();
    }
    co_return stopped();
}

awaitable<Result<void>> Flight::bootstrap(const LedgerRecord& row, const SandboxInfo& sandbox) {
    if (!request_.bootstrap) co_return Result<void>();
    // A callback that is abandoned goes on for a while, with what it was given.
    const auto given = std::make_shared<const SandboxInfo>(sandbox);
    const Runtime::Callback callback = [bootstrap = request_.bootstrap, given] {
        return bootstrap(*given);
    };
    for (std::uint32_t tries = 1;; ++tries) {
        Result<void> done = co_await core_->runtime.call(
            Tag(Operation::bootstrap, row.key), callback, std::nullopt, Interrupt::allowed);
        if (done || tries >= request_.bootstrap_tries || is_stopping()) co_return done;
        const Wake wake = co_await core_->runtime.sleep(Tag(Operation::settle, row.key),
                                                        core_->policy.settle, Interrupt::allowed);
        if (wake != Wake::done || is_stopping()) co_return done;
    }
}

// True if nothing of the attempt is left that may exist; else the error says that something is.
awaitable<bool> Flight::dispose(LedgerRecord row) {
    if (row.state == LedgerRecord::State::closed) co_return true;
    if (row.state == LedgerRecord::State::absent) {
        row.state = LedgerRecord::State::closed;
        Result<void> written = co_await core_->ledger.put(row);
        static_cast<void>(written);
        co_return true;
    }
    const ObligationPtr obligation = add_obligation(*lease_, std::move(row));
    pursue(core_, lease_, obligation);
    co_await wait_torn_down(core_, lease_->key, obligation);
    if (!obligation->may_exist()) co_return true;
    error_ =
        error_->with_cause(not_torn_down(obligation->row)).with_obligation(Obligation::remains);
    co_return false;
}

// The caller's undo steps and staging share the teardown deadline of the last failure with its
// teardown, so that a cancelled call returns in time; what does not end by then is abandoned.
awaitable<void> Flight::roll_back() {
    const Time until = *teardown_until_;
    while (!request_.undo.empty()) {
        const Runtime::Callback undo = std::move(request_.undo.back());
        request_.undo.pop_back();
        Result<void> undone = co_await core_->runtime.call(Tag(Operation::undo, lease_->key), undo,
                                                           until, Interrupt::shielded);
        if (!undone) error_ = error_->with_cause(rolled_back_badly(undone.error(), until));
    }
    co_await clean_up_staging(until, Interrupt::shielded);
    if (unclean_) error_ = error_->with_cause(*unclean_);
}

// Once, as a task of its own: who is stopped meanwhile tears down without waiting for it first.
awaitable<void> Flight::clean_up_staging(Time until, Interrupt interrupt) {
    if (!is_staged_ || !request_.staging->clean_up) co_return;
    if (!cleaned_) {
        cleaned_ = core_->runtime.make_event();
        core_->nursery.spawn(keep_alive(shared_from_this(), run_clean_up(until)));
    }
    co_await core_->runtime.wait(Tag(Operation::join, lease_->key), *cleaned_, std::nullopt,
                                 interrupt);
}

awaitable<void> Flight::run_clean_up(Time until) {
    Result<void> cleaned =
        co_await core_->runtime.call(Tag(Operation::unstaging, lease_->key),
                                     request_.staging->clean_up, until, Interrupt::shielded);
    if (!cleaned) unclean_ = rolled_back_badly(cleaned.error(), until);
    cleaned_->set();
}

// What did not end by the teardown deadline was abandoned, and is a teardown that failed.
Error Flight::rolled_back_badly(const Error& failure, Time until) const {
    const bool is_abandoned = failure.kind() == ErrorKind::timeout && core_->runtime.now() >= until;
    if (!is_abandoned) return failure;
    return Error({.kind = ErrorKind::teardown,
                  .operation = failure.operation(),
                  .message = "it did not end by the teardown deadline and was abandoned"});
}

LedgerRecord Flight::next_row() {
    LedgerRecord row;
    row.owner = core_->owner;
    row.key = lease_->key;
    row.attempt = ++lease_->last_attempt;
    row.acquisition = acquisition_;
    row.name = sandbox_name(row.owner, row.key, row.attempt);
    row.state = LedgerRecord::State::closed;  // until its intent is written, nothing is owed for it
    return row;
}

// The waiters hold it from here on; one that was cancelled meanwhile gives its hold back.
void Flight::hand_out(LedgerRecord row, SandboxInfo sandbox) {
    live_ = std::make_shared<LiveSandbox>();
    live_->core = core_;
    live_->key = lease_->key;
    live_->row = std::move(row);
    live_->sandbox = std::move(sandbox);
    live_->holders = waiters;
    lease_->live = live_;
}

// Across attempts the last one's error is primary; the earlier ones are its causes.
void Flight::fail(const Error& error) {
    error_ = error_ ? error.with_cause(*error_) : error;
    teardown_until_ = core_->runtime.now() + core_->policy.teardown_deadline;
}

// A failure after the stop is a consequence of it, or came too late to be the reason.
Error Flight::primary(const Error& failure) const {
    if (!is_stopping() || failure.kind() == *stop_reason_) return failure;
    return stopped().with_cause(failure);
}

Error Flight::stopped() const {
    return Error({.kind = *stop_reason_, .message = "the acquire was given up"});
}

}  // namespace drydock::detail
