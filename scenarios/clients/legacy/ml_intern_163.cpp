#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// huggingface/ml-intern#163: the delete is sent once; a failure is a warning, and a yes is
// believed.
class MlIntern163 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_one_attempt(request);
    }
};

}  // namespace

ClientKind ml_intern_163() {
    return legacy_kind<MlIntern163>("ml-intern-163", "deletes once, and swallows what comes of it");
}

}  // namespace drydock::scenarios
