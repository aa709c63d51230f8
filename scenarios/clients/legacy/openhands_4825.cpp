#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// OpenHands/OpenHands#4825: under load the status read right after a start answers 404. The runtime
// is taken for gone, and another one is made.
class OpenHands4825 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            const std::uint32_t attempt = next_attempt(request.key);
            Result<std::string> created = co_await create(request, attempt);
            if (!created) co_return created;
            const std::string id = *created;
            Result<void> usable = co_await start(request.key, id);
            if (usable) usable = co_await make_usable(request, id);
            if (usable) co_return id;
            const Error error = usable.error();
            const bool is_gone = error.kind() == ErrorKind::not_found;
            if (!is_gone) {
                Result<void> removed = co_await remove_in_tries(request.key, id);
                static_cast<void>(removed);
            }
            if (!is_gone || tries >= seams_.policy.attempts) co_return error;
            co_await back_off(request.key, tries);
        }
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }
};

}  // namespace

ClientKind openhands_4825() {
    return legacy_kind<OpenHands4825>(
        "openhands-4825", "takes a 404 right after its own start for the end of the sandbox");
}

}  // namespace drydock::scenarios
