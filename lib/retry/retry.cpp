#include <drydock/retry.hpp>

namespace drydock {

RetryClass retry_class(Operation operation) {
    switch (operation) {
        case Operation::container_create: return RetryClass::keyed;
        case Operation::container_start:
        case Operation::container_remove:
        case Operation::archive_put: return RetryClass::convergent;
        case Operation::container_inspect:
        case Operation::container_list:
        case Operation::late_lookup:
        case Operation::exec_create:  // one that is never started does nothing
        case Operation::exec_inspect:
        case Operation::exec_read:
        case Operation::archive_get: return RetryClass::read;
        default: return RetryClass::once;
    }
}

bool is_transient(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::connect:
        case ErrorKind::reset:
        case ErrorKind::timeout:
        case ErrorKind::pool_timeout:
        case ErrorKind::rate_limited:
        case ErrorKind::unavailable:
        case ErrorKind::provisioning: return true;
        default: return false;
    }
}

namespace {

// No answer was read, or none that can be: only then may the truth still differ from what we know.
// An answered failure is not ambiguous in this sense, whatever it left behind: it ends the attempt.
bool is_unanswered(ErrorKind kind) {
    return kind == ErrorKind::timeout || kind == ErrorKind::reset || kind == ErrorKind::protocol;
}

}  // namespace

bool may_repeat(RetryClass retry, ErrorKind kind, Landed landed) {
    switch (retry) {
        case RetryClass::read: return is_transient(kind) || kind == ErrorKind::protocol;
        case RetryClass::convergent:
        case RetryClass::keyed: return landed != Landed::no && is_unanswered(kind);
        case RetryClass::once: return false;
    }
    return false;
}

}  // namespace drydock
