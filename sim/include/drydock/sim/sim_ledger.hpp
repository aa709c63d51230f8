#pragma once

#include <drydock/ledger.hpp>
#include <drydock/memory_ledger.hpp>
#include <drydock/sim/program.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace drydock::sim {

/// The in-memory ledger as a program meets it: a put takes time, is a site, and can fail as a disk
/// can. Its rows are the simulation's and survive every crash.
class SimLedger final : public Ledger {
public:
    /// Error{ledger} while another incarnation of this owner is alive.
    static Result<std::unique_ptr<SimLedger>> open(Program& program);

    std::string_view owner() const noexcept override { return rows_->owner(); }
    std::vector<LedgerRecord> records() const override { return rows_->records(); }
    awaitable<Result<void>> put(LedgerRecord record) override;

private:
    SimLedger(Program& program, std::unique_ptr<MemoryLedger> rows);
    void write(const LedgerRecord& record, std::uint32_t n);

    Program& program_;
    std::unique_ptr<MemoryLedger> rows_;
    bool is_full_ = false;
};

}  // namespace drydock::sim
