#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// UKGovernmentBEIS/inspect_ai#5494: the handler around the set-up catches ordinary errors. A
// cancellation is not one of them and flies past it.
class InspectAi5494 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_one_attempt(request);
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }
};

}  // namespace

ClientKind inspect_ai_5494() {
    return legacy_kind<InspectAi5494>("inspect-ai-5494",
                                      "cleans up after errors, and a cancellation is none");
}

}  // namespace drydock::scenarios
