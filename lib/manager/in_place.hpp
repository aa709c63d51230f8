#pragma once

#include "manager/core.hpp"

namespace drydock::detail {

/// Exchanges of one row, repeated in place where `may_repeat` allows: the same attempt, the same
/// name, at most Policy::attempts tries with the policy's delays.
struct InPlace {
    const CorePtr& core;
    Interrupt interrupt;
    /// Asked before each repetition: true ends it with the last error.
    std::function<bool()> give_up;

    /// Makes the row's sandbox, or finds that an earlier try made it, and returns its id. Notes in
    /// the row until when a try that was given up may still land. Always shielded: who cancels
    /// waits for the reply, because only it can say what must be disposed of.
    awaitable<Result<std::string>> create(LedgerRecord& row, const SandboxSpec& spec) const;

    /// Starts the sandbox. Success also if the backend is already at it, or says that it cannot
    /// say.
    awaitable<Result<void>> start(const LedgerRecord& row) const;

    awaitable<Result<SandboxInfo>> inspect(const LedgerRecord& row,
                                           std::string_view id_or_name) const;

private:
    awaitable<Result<std::string>> adopt(LedgerRecord& row, Error conflict) const;
    awaitable<bool> wait_to_repeat(const LedgerRecord& row, RetryClass retry, const Error& error,
                                   std::uint32_t tries) const;
};

/// The row's sandbox, or nothing if there is none.
using Found = Result<std::optional<SandboxInfo>>;

/// By label, and, as lists may lag, by exact name before it counts as absent. `operation` names its
/// exchanges where it is late_lookup; else they are container_list and container_inspect. None of
/// them outlasts `until`.
awaitable<Found> look_up(const CorePtr& core, const LedgerRecord& row, Operation operation,
                         Time until);

/// By exact name alone, which only what our own create made can have together with our labels: one
/// exchange, for a watch that asks often.
awaitable<Found> look_up_by_name(const CorePtr& core, const LedgerRecord& row, Operation operation,
                                 Time until);

}  // namespace drydock::detail
