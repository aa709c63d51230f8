#include <drydock/memory_ledger.hpp>

#include <utility>

namespace drydock {

std::string_view name(LedgerRecord::State state) {
    switch (state) {
        case LedgerRecord::State::intent: return "intent";
        case LedgerRecord::State::created: return "created";
        case LedgerRecord::State::absent: return "absent";
        case LedgerRecord::State::closed: return "closed";
    }
    return "closed";
}

void MemoryLedgerStore::write(const LedgerRecord& record) {
    rows_.insert_or_assign(RowKey(record.owner, record.key, record.attempt), record);
}

std::vector<LedgerRecord> MemoryLedgerStore::rows_of(std::string_view owner) const {
    std::vector<LedgerRecord> rows;
    for (const auto& [key, record] : rows_) {
        if (std::get<0>(key) == owner) rows.push_back(record);
    }
    return rows;
}

bool MemoryLedgerStore::lock(std::string_view owner) { return locked_.emplace(owner).second; }

void MemoryLedgerStore::unlock(std::string_view owner) {
    if (const auto found = locked_.find(owner); found != locked_.end()) locked_.erase(found);
}

Result<std::unique_ptr<MemoryLedger>> MemoryLedger::open(MemoryLedgerStore& store,
                                                         std::string owner) {
    if (!store.lock(owner)) {
        return Error({.kind = ErrorKind::ledger,
                      .message = "owner \"" + owner + "\" is held by another live process"});
    }
    return std::unique_ptr<MemoryLedger>(new MemoryLedger(store, std::move(owner)));
}

MemoryLedger::MemoryLedger(MemoryLedgerStore& store, std::string owner)
    : store_(store), owner_(std::move(owner)) {}

MemoryLedger::~MemoryLedger() { store_.unlock(owner_); }

awaitable<Result<void>> MemoryLedger::put(LedgerRecord record) {
    store_.write(record);
    co_return Result<void>();
}

}  // namespace drydock
