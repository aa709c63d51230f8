#pragma once

#include <drydock/operation.hpp>
#include <drydock/result.hpp>
#include <drydock/time.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace drydock {

namespace asio = boost::asio;
using asio::awaitable;

/// Whether a suspension ends early when the coroutine it suspends is cancelled. `shielded` is what
/// a teardown uses: nothing interrupts it but its own limit.
enum class Interrupt : std::uint8_t { allowed, shielded };

/// A one-shot event that coroutines of one executor wait for. Made by a Runtime, set by the
/// library.
class Event {
public:
    virtual ~Event() = default;
    /// Wakes all who wait, now and later. Idempotent. Nobody runs before the setter suspends.
    virtual void set() = 0;
    virtual bool is_set() const noexcept = 0;
};

/// How a suspension ended.
enum class Wake : std::uint8_t { done, cancelled, timed_out };

/// The world as the library sees it: time, randomness, and every suspension that is not an
/// exchange. All calls come from `executor()`, and all completions arrive there. No call completes
/// inline.
class Runtime {
public:
    using Callback = std::function<awaitable<Result<void>>()>;

    virtual ~Runtime() = default;

    virtual asio::any_io_executor executor() = 0;
    virtual Time now() = 0;
    virtual WallTime wall_now() = 0;
    /// Uniform over all 64-bit values.
    virtual std::uint64_t random_bits() = 0;

    /// `cancelled` as soon as the coroutine's terminal cancellation arrives (only if allowed).
    virtual awaitable<Wake> sleep(Tag tag, Duration duration, Interrupt interrupt) = 0;

    virtual std::unique_ptr<Event> make_event() = 0;
    /// Waits until the event is set, the coroutine is cancelled (if allowed) or `until` is reached.
    virtual awaitable<Wake> wait(Tag tag, Event& event, std::optional<Time> until,
                                 Interrupt interrupt) = 0;

    /// Runs the caller's own code (bootstrap, staging, undo). Ends with `timeout` when `until` is
    /// reached and with `cancelled` when the coroutine is cancelled (if allowed); the callback is
    /// then cancelled and abandoned: it may go on for a while, and nobody waits for it. One that
    /// throws ends with `internal`.
    virtual awaitable<Result<void>> call(Tag tag, Callback callback, std::optional<Time> until,
                                         Interrupt interrupt) = 0;

    /// Tells the operator of a defect in the program, such as a manager destroyed unclosed.
    virtual void report(std::string_view defect) = 0;
};

}  // namespace drydock
