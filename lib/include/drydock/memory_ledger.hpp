#pragma once

#include <drydock/ledger.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace drydock {

/// The rows behind in-memory ledgers. It outlives the ledgers opened on it, so that a simulated
/// process that crashes finds its rows again.
class MemoryLedgerStore {
public:
    using RowKey = std::tuple<std::string, std::string, std::uint32_t>;  ///< owner, key, attempt

    void write(const LedgerRecord& record);
    std::vector<LedgerRecord> rows_of(std::string_view owner) const;

    bool lock(std::string_view owner);
    void unlock(std::string_view owner);

private:
    std::map<RowKey, LedgerRecord> rows_;
    std::set<std::string, std::less<>> locked_;
};

/// Puts are durable at once (as far as the store is) and take no time of their own.
class MemoryLedger final : public Ledger {
public:
    /// Error{ledger} while another one of this owner is open. `runtime` and `store` outlive it.
    static Result<std::unique_ptr<MemoryLedger>> open(MemoryLedgerStore& store, std::string owner);
    ~MemoryLedger() override;
    MemoryLedger(const MemoryLedger&) = delete;
    MemoryLedger& operator=(const MemoryLedger&) = delete;

    std::string_view owner() const noexcept override { return owner_; }
    std::vector<LedgerRecord> records() const override { return store_.rows_of(owner_); }
    awaitable<Result<void>> put(LedgerRecord record) override;

private:
    MemoryLedger(MemoryLedgerStore& store, std::string owner);

    MemoryLedgerStore& store_;
    std::string owner_;
};

}  // namespace drydock
