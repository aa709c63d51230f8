#pragma once

#include <drydock/error.hpp>
#include <drydock/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::faults {

/// When the request reaches the engine.
enum class Arrival : std::uint8_t {
    now,
    never,
    after_timeout,  ///< once the client has given the exchange up
    after_retry,    ///< once the next same operation of the lease was answered
    after_remove,   ///< once a removal of a sandbox of the lease was confirmed
    twice,
};

/// What the engine does with it and says.
struct Answer {
    enum class Kind : std::uint8_t {
        applied,
        before,   ///< answers `status` without applying the request
        after,    ///< applies it and answers `status`
        partial,  ///< leaves a broken sandbox behind and answers `status`
        none,     ///< nothing answers: only with a request that never arrives
    };
    Kind kind = Kind::applied;
    int status = 0;

    bool operator==(const Answer&) const = default;
};

/// What the client sees of the answer.
struct Reply {
    enum class Kind : std::uint8_t {
        ok,
        lost,
        reset,
        cut_header,
        cut_body,
        stall,     ///< begins and never ends
        slow,      ///< comes `by` later
        not_sent,  ///< no connection: only with a request that never arrives
    };
    Kind kind = Kind::ok;
    Duration by{};

    bool operator==(const Reply&) const = default;
};

/// What becomes of one exchange with the backend: three independent axes.
struct Fate {
    Arrival arrival = Arrival::now;
    Answer answer{};
    Reply reply{};

    bool operator==(const Fate&) const = default;
};

/// The fates that have a short name in files; `composed` is any other legal combination.
enum class FateKind : std::uint8_t {
    refused,        ///< never arrives, the client knows that nothing was sent
    request_lost,   ///< never arrives, no reply
    reply_lost,     ///< applied, no reply
    reset_before,   ///< never arrives, the connection breaks
    reset_after,    ///< applied, the connection breaks
    late,           ///< arrives when the client has given up
    duplicated,     ///< arrives twice
    status_before,  ///< an error status, not applied
    status_after,   ///< an error status, applied
    partial,        ///< an error status, a broken sandbox left behind
    truncated,      ///< applied, the reply's body is cut
    cut_header,     ///< applied, the reply's head is cut
    stalled,        ///< applied, the reply begins and never ends
    slow,           ///< applied, the reply takes longer
    composed,
};

inline constexpr std::size_t fate_kind_count = 15;

std::string_view name(Arrival arrival);
std::string_view name(FateKind kind);

constexpr bool is_late(Arrival arrival) {
    return arrival == Arrival::after_timeout || arrival == Arrival::after_retry ||
           arrival == Arrival::after_remove;
}

FateKind kind_of(const Fate& fate);

/// Why the three axes contradict each other (or change nothing), if they do.
std::optional<std::string> why_illegal(const Fate& fate);

/// The fates with short names, for code.
namespace fates {
Fate refused();
Fate request_lost();
Fate reply_lost();
Fate reset_before();
Fate reset_after();
Fate late(Arrival trigger);
Fate duplicated();
Fate status_before(int status);
Fate status_after(int status);
Fate partial(int status = 500);
Fate truncated();
Fate cut_header();
Fate stalled();
Fate slow(Duration by);
}  // namespace fates

/// What becomes of a local operation: the caller's own code, or a ledger record.
struct LocalFate {
    enum class Kind : std::uint8_t {
        fail,              ///< ends with `error`
        write_refused,     ///< ledger_put: nothing was written, and the caller is told
        lost_before_sync,  ///< ledger_put: reported as failed, found by nobody or by a later reader
        disk_full,         ///< ledger_put: nothing was written, and nothing will be
    };
    Kind kind = Kind::fail;
    ErrorKind error = ErrorKind::internal;  ///< only of `fail`; `ledger` otherwise

    bool operator==(const LocalFate&) const = default;
};

std::string_view name(LocalFate::Kind kind);

}  // namespace drydock::faults
