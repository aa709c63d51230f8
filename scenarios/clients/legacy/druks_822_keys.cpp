#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// druks ENG-822 with a key per attempt: what an attempt that timed out made is not the next
// attempt's, so that the host is provisioned twice.
class Druks822Keys final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    std::string idempotency_key(const std::string& key, std::uint32_t attempt) const override {
        return key + "/attempt-" + std::to_string(attempt);
    }

    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_attempts(request);
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }
};

}  // namespace

ClientKind druks_822_keys() {
    return legacy_kind<Druks822Keys>("druks-822-keys", "makes an idempotency key for each attempt");
}

}  // namespace drydock::scenarios
