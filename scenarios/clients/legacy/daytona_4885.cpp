#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// daytonaio/daytona#4885: the delete of what is gone is an error like any other, so that a client
// that retries until it is told yes never ends.
class Daytona4885 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_one_attempt(request);
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<void> removed = co_await remove(key, id);
            if (removed) co_return removed;
            co_await back_off(key, tries);
        }
    }
};

}  // namespace

ClientKind daytona_4885() {
    return legacy_kind<Daytona4885>("daytona-4885",
                                    "repeats a delete until the answer is yes, and a 404 is not");
}

}  // namespace drydock::scenarios
