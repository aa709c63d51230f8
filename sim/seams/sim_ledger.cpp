#include "seams/suspension.hpp"

#include <drydock/sim/sim_ledger.hpp>
#include <drydock/sim/sleep.hpp>

#include <boost/asio/deferred.hpp>

#include <utility>

namespace drydock::sim {

namespace {

Error refused(std::string message) {
    return Error({.kind = ErrorKind::ledger,
                  .operation = Operation::ledger_put,
                  .message = std::move(message)});
}

}  // namespace

Result<std::unique_ptr<SimLedger>> SimLedger::open(Program& program) {
    auto rows = MemoryLedger::open(program.simulation().ledger_store(), program.name());
    if (!rows) return rows.error();
    return std::unique_ptr<SimLedger>(new SimLedger(program, std::move(*rows)));
}

SimLedger::SimLedger(Program& program, std::unique_ptr<MemoryLedger> rows)
    : program_(program), rows_(std::move(rows)) {}

void SimLedger::write(const LedgerRecord& record, std::uint32_t n) {
    Simulation& simulation = program_.simulation();
    simulation.ledger_store().write(record);
    simulation.trace({.kind = EventKind::ledger_written,
                      .operation = static_cast<std::uint8_t>(Operation::ledger_put),
                      .process = program_.id(),
                      .lease = program_.lease_id(record.key),
                      .n = n,
                      .subject = record.attempt,
                      .value = static_cast<std::uint64_t>(record.state)});
}

awaitable<Result<void>> SimLedger::put(LedgerRecord record) {
    const Tag tag{Operation::ledger_put, record.key};
    Suspension suspension(program_, tag);
    if (suspension.is_chosen()) {
        co_await suspension.before(Interrupt::shielded);
        co_await suspension.arm_in_flight();
    }
    const Made fate = suspension.choice(faults::Aspect::fate);
    const auto* chosen = fate.as<faults::LocalFate>();
    if (chosen != nullptr && chosen->kind == faults::LocalFate::Kind::disk_full) is_full_ = true;
    is_full_ = is_full_ && program_.simulation().faults_are_on();
    // What was lost before its sync may be found by a later reader: here it always is.
    const bool is_lost =
        chosen != nullptr && chosen->kind == faults::LocalFate::Kind::lost_before_sync;
    if (is_lost || (chosen == nullptr && !is_full_)) write(record, suspension.site().n);
    const Duration takes = program_.simulation().options().ledger_write + suspension.chosen_delay();
    co_await async_sleep(suspension.executor(), takes, Interrupt::shielded, asio::deferred);
    if (suspension.is_chosen()) co_await suspension.with_completion();
    const bool has_failed = chosen != nullptr || is_full_;
    suspension.completed(has_failed ? 1 : 0);
    if (!has_failed) co_return Result<void>();
    if (chosen != nullptr) fate.facts->local_failed = true;
    co_return refused(is_full_ ? "the disk is full" : "the record was not written");
}

}  // namespace drydock::sim
