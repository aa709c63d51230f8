#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// kortix-ai/suna#3571: the row is written once the box is there, and the sweep after a restart asks
// the database only. A box whose row was never written is one that nobody looks for.
class Suna3571 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

    awaitable<Result<void>> recover() override {
        for (const LedgerRecord& row : seams_.ledger.records()) {
            if (!row.is_obligation()) continue;
            Result<void> removed = co_await remove_in_tries(row.key, row.id);
            static_cast<void>(removed);
        }
        co_return Result<void>();
    }

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        LedgerRecord row = row_of(request.key, id, attempt);
        Result<void> written = co_await seams_.ledger.put(row);
        static_cast<void>(written);
        Result<void> usable = co_await start(request.key, id);
        if (usable) usable = co_await make_usable(request, id);
        if (usable) co_return id;
        const Error error = usable.error();
        Result<void> removed = co_await remove_in_tries(request.key, id);
        static_cast<void>(removed);
        co_return error;
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }

private:
    LedgerRecord row_of(const std::string& key, const std::string& id,
                        std::uint32_t attempt) const {
        LedgerRecord row;
        row.owner = seams_.ledger.owner();
        row.key = key;
        row.attempt = attempt;
        row.state = LedgerRecord::State::created;
        row.id = id;
        return row;
    }
};

}  // namespace

ClientKind suna_3571() {
    return legacy_kind<Suna3571>(
        "suna-3571", "records a sandbox after its create, and recovers from records alone");
}

}  // namespace drydock::scenarios
