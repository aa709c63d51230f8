#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// druks ENG-866: a create that fails leaves a row in error state at the server. It carries no id,
// so that the roll-back has nothing to delete. The key is stable, the failure may be tried again.
class Druks866 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_attempts(request);
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }
};

}  // namespace

ClientKind druks_866() {
    return legacy_kind<Druks866>("druks-866", "forgets a create that failed, as it has no id");
}

}  // namespace drydock::scenarios
