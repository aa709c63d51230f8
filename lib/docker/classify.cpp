#include "docker/classify.hpp"

#include "docker/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace drydock::docker {
namespace {

struct StatusRow {
    int from;
    int to;
    ErrorKind kind;
    Landed landed;
};

// A 400 of a start is the container's own command that cannot be run ("OCI runtime create failed"):
// it will not get better, so it is invalid. What may get better (a port in use, no memory) Docker
// answers with 500. Neither is `provisioning`, which needs a sandbox that failed after it was
// taken. A 5xx may come from any depth, also from after the effect; each 4xx is decided before it.
constexpr std::array<StatusRow, 13> statuses = {{
    {101, 101, ErrorKind::protocol, Landed::yes},
    {200, 299, ErrorKind::protocol, Landed::yes},  // a success, but not one that was asked for
    {400, 400, ErrorKind::invalid, Landed::no},
    {401, 401, ErrorKind::unauthorized, Landed::no},
    {403, 403, ErrorKind::forbidden, Landed::no},
    {404, 404, ErrorKind::not_found, Landed::no},
    {408, 408, ErrorKind::timeout, Landed::unknown},  // a proxy's: the engine may still be at it
    {409, 409, ErrorKind::conflict, Landed::unknown},
    {422, 422, ErrorKind::invalid, Landed::no},
    {429, 429, ErrorKind::rate_limited, Landed::no},
    {400, 499, ErrorKind::invalid, Landed::no},
    {500, 599, ErrorKind::unavailable, Landed::unknown},
    {0, 999, ErrorKind::protocol, Landed::unknown},
}};

const StatusRow& row_of(int status) {
    return *std::find_if(statuses.begin(), statuses.end() - 1, [status](const StatusRow& row) {
        return row.from <= status && status <= row.to;
    });
}

// Refusals that do not show that nothing was applied. The holder of a name, the removal that is at
// work or that made the sandbox absent may be what this very request began: one that the network
// delivered twice is answered by its second arrival. And a create refused as invalid may have left
// a sandbox in error (druks ENG-866). An exec has no name that could be taken: its create conflicts
// only with a sandbox that is paused, exited or restarting.
Landed landed_of(Operation operation, int status) {
    const bool is_own_absence = operation == Operation::container_remove && status == 404;
    const bool is_invalid_create =
        operation == Operation::container_create && (status == 400 || status == 422);
    if (is_own_absence || is_invalid_create) return Landed::unknown;
    if (operation == Operation::exec_create && status == 409) return Landed::no;
    return row_of(status).landed;
}

bool names(std::string_view message, std::string_view word) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    };
    return std::search(message.begin(), message.end(), word.begin(), word.end(), same) !=
           message.end();
}

struct CauseRow {
    TransportFailure::Cause cause;
    ErrorKind kind;
    std::string_view text;
};

constexpr std::array<CauseRow, 6> causes = {{
    {TransportFailure::Cause::cancelled, ErrorKind::cancelled, "given up"},
    {TransportFailure::Cause::connect, ErrorKind::connect, "no connection"},
    {TransportFailure::Cause::pool_wait, ErrorKind::pool_timeout, "no connection became free"},
    {TransportFailure::Cause::reset, ErrorKind::reset, "connection lost"},
    {TransportFailure::Cause::timeout, ErrorKind::timeout, "no answer in time"},
    {TransportFailure::Cause::malformed, ErrorKind::protocol, "answer cannot be read"},
}};

const CauseRow& row_of(TransportFailure::Cause cause) {
    return *std::find_if(causes.begin(), causes.end() - 1,
                         [cause](const CauseRow& row) { return row.cause == cause; });
}

std::string_view text_of(Progress progress) {
    switch (progress) {
        case Progress::not_sent: return "before anything was sent";
        case Progress::partly_sent: return "before the whole request was sent";
        case Progress::sent: return "after the request was sent";
        case Progress::reply_begun: return "within the reply";
    }
    return {};
}

Landed landed_of(Operation operation, const TransportFailure& failure) {
    using Cause = TransportFailure::Cause;
    if (failure.cause == Cause::connect || failure.cause == Cause::pool_wait) {
        return Landed::no;
    }
    // The engine acts on nothing before it has a whole request (recorded: 23_disconnect).
    if (failure.progress == Progress::not_sent || failure.progress == Progress::partly_sent) {
        return Landed::no;
    }
    if (failure.status == 0) {
        return Landed::unknown;
    }
    return is_success(operation, failure.status) ? Landed::yes
                                                 : landed_of(operation, failure.status);
}

}  // namespace

bool is_success(Operation operation, int status) {
    const bool is_stream = operation == Operation::exec_start || operation == Operation::exec_read;
    return (status >= 200 && status < 300) ||
           (status == 304 && operation == Operation::container_start) ||
           (status == 101 && is_stream);
}

Error refused(Operation operation, const Response& response) {
    Refusal refusal = read_refusal(response.body);
    ErrorKind kind = row_of(response.status).kind;
    if (kind == ErrorKind::rate_limited &&
        (names(refusal.message, "quota") || names(refusal.code, "quota"))) {
        kind = ErrorKind::quota;
    }
    Landed landed = landed_of(operation, response.status);
    // Docker answers 500 where it is the sandbox that does not allow it, and never will.
    if (operation == Operation::archive_put && names(refusal.message, "marked read-only")) {
        kind = ErrorKind::invalid;
        landed = Landed::no;
    }
    return Error({.kind = kind,
                  .landed = landed,
                  .operation = operation,
                  .status = response.status,
                  .code = std::move(refusal.code),
                  .message = std::move(refusal.message)});
}

Error unreadable(Operation operation, const Response& response) {
    return Error({.kind = ErrorKind::protocol,
                  .landed = Landed::yes,
                  .operation = operation,
                  .status = response.status,
                  .message = fmt::format("{} bytes that are not the answer to {}",
                                         response.body.size(), name(operation))});
}

Error failed(Operation operation, const TransportFailure& failure) {
    const CauseRow& row = row_of(failure.cause);
    std::string message(row.text);
    if (failure.cause != TransportFailure::Cause::connect &&
        failure.cause != TransportFailure::Cause::pool_wait) {
        message.append(" ").append(text_of(failure.progress));
    }
    return Error({.kind = row.kind,
                  .landed = landed_of(operation, failure),
                  .operation = operation,
                  .status = failure.status,
                  .message = std::move(message)});
}

}  // namespace drydock::docker
