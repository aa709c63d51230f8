#pragma once

#include <drydock/time.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace drydock::sim {

/// What happened. The meaning of `subject` and `value` per kind stands beside it.
enum class EventKind : std::uint8_t {
    // seams of a process: subject = sandbox where known
    started,    ///< a suspension began (value: detail of the operation)
    completed,  ///< it ended (value: Wake, or HTTP status, or 1000 + TransportFailure::Cause; of a
                ///< stream's read 0 or that, and subject: how many bytes)
    // network
    arrived,    ///< a request reached the engine (detail: 1 if the client had given it up)
    applied,    ///< and took effect
    answered,   ///< the engine's answer left (value: status)
    abandoned,  ///< the client gave the exchange up while it could still land
    // engine: subject = sandbox number, value = state or reason
    born,            ///< a sandbox became visible
    state_changed,   ///< value: new state
    removal_begun,   ///< the engine accepted a removal
    removal_failed,  ///< and gave it up
    gone,            ///< the sandbox no longer exists
    // processes
    process_started,  ///< value: incarnation
    process_crashed,
    process_ended,
    // choices
    choice_taken,  ///< value: digest of the choice
    struck,        ///< a cancel struck public calls (value: how many)
    // public calls: subject = actor, n = step, detail = CallKind, value = the call's own deadline
    call_begun,
    call_struck,     ///< a cancel struck this call
    call_ended,      ///< detail: ErrorKind + 1, or 0 for success
    exchange_read,   ///< what the adapter made of an exchange (detail: ErrorKind + 1 or 0; value:
                     ///< Landed)
    sandbox_named,   ///< a call's success handed out this sandbox (subject)
    handle_dropped,  ///< the last handle of the lease was given back
    ledger_written,  ///< subject: attempt, value: LedgerRecord::State
    faults_stopped,
    user,  ///< for tests and benches
};

/// One thing that happened, at one virtual instant. Plain data: the digest folds every field.
struct Event {
    Time at{};
    EventKind kind{};
    std::uint8_t operation = 0;  ///< drydock::Operation
    std::uint8_t detail = 0;
    std::uint8_t process = 0;
    std::uint32_t lease = 0;  ///< interned lease key, 0 for none
    std::uint32_t n = 0;      ///< occurrence of the operation at its site
    std::uint32_t subject = 0;
    std::uint64_t value = 0;
};

/// The run's history, and its digest: equal digests mean equal runs.
class Trace {
public:
    // Inlined and without push_back, so that an event is put together in registers: the caller's
    // field-by-field stores followed by a wide load would stall every time, which was measured to
    // cost as much as the rest of tracing.
    [[gnu::always_inline]] void add(const Event& event) {
        if (events_.size() == events_.capacity()) {
            grow();
        }
        events_.emplace_back();
        events_.back() = event;
        fold(static_cast<std::uint64_t>(event.at.time_since_epoch().count()));
        fold(static_cast<std::uint64_t>(event.kind) | std::uint64_t{event.operation} << 8 |
             std::uint64_t{event.detail} << 16 | std::uint64_t{event.process} << 24 |
             std::uint64_t{event.lease} << 32);
        fold(std::uint64_t{event.n} | std::uint64_t{event.subject} << 32);
        fold(event.value);
    }

    const std::vector<Event>& events() const noexcept { return events_; }
    std::uint64_t digest() const noexcept { return digest_; }

private:
    // Address space is cheap; copies, and the page faults of both sides of a copy, are not.
    void grow() {
        const std::size_t size = events_.size();
        events_.reserve(size < 64        ? 64
                        : size < 4096    ? size * 8
                        : size < 1 << 20 ? 1 << 20
                                         : size * 4);
    }

    // A multiply-rotate hash: one multiplication per word keeps tracing off the profile.
    void fold(std::uint64_t word) noexcept {
        digest_ = (digest_ ^ word) * 0x9fb21c651e98df25ULL;
        digest_ = (digest_ >> 29) ^ (digest_ << 35);
    }

    std::vector<Event> events_;
    std::uint64_t digest_ = 0x243f6a8885a308d3ULL;
};

}  // namespace drydock::sim
