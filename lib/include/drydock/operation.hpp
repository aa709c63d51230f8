#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace drydock {

/// What a suspension point of the library is doing. Named alike for all backends; the names (see
/// `name`) are the operation part of a fault site and of the X-Drydock-Site header.
enum class Operation : std::uint8_t {
    // exchanges with a backend
    container_create,   ///< keyed
    container_start,    ///< convergent
    container_inspect,  ///< read, by id or by exact name
    container_list,     ///< read, by label
    container_remove,   ///< convergent, by id
    late_lookup,        ///< read: the watch's search for a create that may still land
    exec_create,        ///< keyed by nothing, but repeatable: one that is never started is harmless
    exec_start,         ///< once, unless what it starts is the guard's launch
    exec_inspect,       ///< read
    exec_read,          ///< the next bytes of a started exec's stream
    archive_put,        ///< convergent
    archive_get,        ///< read
    // local suspension points
    ledger_put,  ///< one durable record
    backoff,     ///< delay before a repetition in place or before the next attempt
    settle,      ///< delay between two looks at a sandbox that is changing state
    late_wait,   ///< delay between two look-ups of a watch
    join,        ///< a public call waits for work of its lease's flight or teardown
    close,       ///< a public call waits for the nursery
    staging,     ///< the caller's staging, prepared
    bootstrap,   ///< the caller's bootstrap
    undo,        ///< one of the caller's undo steps
    unstaging,   ///< the caller's staging, cleaned up
    job_wait,    ///< delay between two looks at a job, or before the next reconnection
    refresh,     ///< the caller's token source is asked for a new token
    // not the library's, but what it set going
    guard_step,  ///< one step of a guard in a sandbox of the lease
};

inline constexpr std::size_t operation_count = 25;

std::string_view name(Operation operation);
std::optional<Operation> operation_from_name(std::string_view name);

constexpr bool is_read(Operation operation) {
    return operation == Operation::container_inspect || operation == Operation::container_list ||
           operation == Operation::late_lookup || operation == Operation::exec_inspect ||
           operation == Operation::exec_read || operation == Operation::archive_get;
}

/// True for operations that exchange a request and a reply with a backend. A read of a stream is
/// none: what comes was asked for when the stream was opened.
constexpr bool is_exchange(Operation operation) {
    return operation <= Operation::archive_get && operation != Operation::exec_read;
}

/// Says who suspends: every call through a seam carries one.
struct Tag {
    Operation operation{};
    std::string_view lease;  ///< the lease key, empty where there is none; must outlive the call
};

}  // namespace drydock
