#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// different-ai/openwork#3219: the sandbox has a fixed name, and the provisioner knows how to create
// only. One that was stopped by the server makes each create conflict, twice a minute.
class Openwork3219 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    std::string sandbox_name(const std::string& key, std::uint32_t) const override {
        return std::string(seams_.ledger.owner()) + "-" + key;
    }

    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<std::string> worker = co_await provision(request);
            if (worker) co_return worker;
            const Error error = worker.error();
            const bool heals = is_transient(error.kind()) || error.kind() == ErrorKind::conflict;
            if (!heals) co_return error;
            co_await back_off(request.key, tries);
        }
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }

private:
    awaitable<Result<std::string>> provision(const LeaseRequest& request) {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        Result<void> usable = co_await start(request.key, id);
        if (usable) usable = co_await make_usable(request, id);
        if (!usable) co_return usable.error();  // "failed"; the name stays taken
        co_return id;
    }
};

}  // namespace

ClientKind openwork_3219() {
    return legacy_kind<Openwork3219>("openwork-3219",
                                     "creates under one name for ever, though the name is its own");
}

}  // namespace drydock::scenarios
