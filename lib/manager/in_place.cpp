#include "manager/in_place.hpp"

#include "manager/naming.hpp"

#include <algorithm>
#include <utility>

namespace drydock::detail {

namespace {

// Nobody answered, or only a proxy between, and the engine may still be at it.
bool may_still_land(const Error& error) {
    const int status = error.status();
    const bool is_of_proxy = status == 408 || (status >= 502 && status <= 504);
    return error.landed() == Landed::unknown && (status == 0 || is_of_proxy);
}

}  // namespace

// True after the delay, if the exchange may be repeated and nobody wants it to end.
awaitable<bool> InPlace::wait_to_repeat(const LedgerRecord& row, RetryClass retry,
                                        const Error& error, std::uint32_t tries) const {
    const bool allowed = may_repeat(retry, error.kind(), error.landed());
    if (!allowed || tries >= core->policy.attempts || give_up()) co_return false;
    const Duration delay = delay_after(core->policy.backoff, tries, core->runtime.random_bits());
    const Wake wake =
        co_await core->runtime.sleep(Tag(Operation::backoff, row.key), delay, interrupt);
    co_return wake == Wake::done && !give_up();
}

awaitable<Result<std::string>> InPlace::create(LedgerRecord& row, const SandboxSpec& spec) const {
    const Labels labels = labels_of(row);
    for (std::uint32_t tries = 1;; ++tries) {
        const CallContext context{Tag(Operation::container_create, row.key),
                                  core->policy.request_timeout, Interrupt::shielded};
        Result<std::string> created =
            co_await core->backend.create(context, row.name, spec, labels);
        if (created) co_return created;
        Error error = created.error();
        // Also if a repetition succeeds.
        if (may_still_land(error)) note_given_up(*core, row);
        const bool is_ours_perhaps =
            error.kind() == ErrorKind::conflict || error.landed() == Landed::yes;
        if (is_ours_perhaps) {
            Result<std::string> adopted = co_await adopt(row, error);
            co_return adopted;
        }
        const bool again = co_await wait_to_repeat(row, RetryClass::keyed, error, tries);
        if (!again) co_return error;
    }
}

// The name is taken: by our own earlier try, unless its labels say otherwise. A holder that cannot
// be read yet is looked at again (Docker reserves the name before it shows the container); while it
// was not read, our own may still come.
awaitable<Result<std::string>> InPlace::adopt(LedgerRecord& row, Error conflict) const {
    for (std::uint32_t tries = 1; !give_up(); ++tries) {
        Result<SandboxInfo> holder = co_await inspect(row, row.name);
        if (holder) {
            if (is_of_row(*holder, row)) co_return std::move(holder->id);
            co_return conflict;
        }
        const Error unread = holder.error();
        const bool is_unseen = unread.kind() == ErrorKind::not_found;
        if (!is_unseen) conflict = conflict.with_cause(unread);
        if (!is_unseen || tries >= core->policy.attempts || give_up()) break;
        const Wake wake = co_await core->runtime.sleep(Tag(Operation::settle, row.key),
                                                       core->policy.settle, interrupt);
        if (wake != Wake::done) break;
    }
    note_given_up(*core, row);
    co_return conflict;
}

awaitable<Result<void>> InPlace::start(const LedgerRecord& row) const {
    for (std::uint32_t tries = 1;; ++tries) {
        const CallContext context{Tag(Operation::container_start, row.key),
                                  core->policy.request_timeout, interrupt};
        Result<void> started = co_await core->backend.start(context, row.id);
        if (started) co_return started;
        const Error error = started.error();
        // A success that cannot be read, or a refusal while the state changes: the state decides.
        if (error.landed() == Landed::yes || error.kind() == ErrorKind::conflict) {
            co_return Result<void>();
        }
        const bool again = co_await wait_to_repeat(row, RetryClass::convergent, error, tries);
        if (!again) co_return error;
    }
}

awaitable<Result<SandboxInfo>> InPlace::inspect(const LedgerRecord& row,
                                                std::string_view id_or_name) const {
    for (std::uint32_t tries = 1;; ++tries) {
        const CallContext context{Tag(Operation::container_inspect, row.key),
                                  core->policy.request_timeout, interrupt};
        Result<SandboxInfo> read = co_await core->backend.inspect(context, id_or_name);
        if (read) co_return read;
        const Error error = read.error();
        const bool again = co_await wait_to_repeat(row, RetryClass::read, error, tries);
        if (!again) co_return error;
    }
}

awaitable<Found> look_up_by_name(const CorePtr& core, const LedgerRecord& row, Operation operation,
                                 Time until) {
    const CallContext context{Tag(operation, row.key), core->limit_until(until),
                              Interrupt::shielded};
    Result<SandboxInfo> read = co_await core->backend.inspect(context, row.name);
    if (read && is_of_row(*read, row)) co_return std::optional<SandboxInfo>(std::move(*read));
    if (read || read.error().kind() == ErrorKind::not_found) {
        co_return std::optional<SandboxInfo>();
    }
    co_return read.error();
}

awaitable<Found> look_up(const CorePtr& core, const LedgerRecord& row, Operation operation,
                         Time until) {
    const CallContext context{Tag(operation, row.key), core->limit_until(until),
                              Interrupt::shielded};
    const Labels labels = row_labels(row);
    Result<std::vector<SandboxInfo>> listed = co_await core->backend.list(context, labels);
    if (!listed) co_return listed.error();
    for (SandboxInfo& sandbox : *listed) {
        if (is_of_row(sandbox, row)) co_return std::optional<SandboxInfo>(std::move(sandbox));
    }
    const Operation read_operation =
        operation == Operation::late_lookup ? operation : Operation::container_inspect;
    Found by_name = co_await look_up_by_name(core, row, read_operation, until);
    co_return by_name;
}

}  // namespace drydock::detail
