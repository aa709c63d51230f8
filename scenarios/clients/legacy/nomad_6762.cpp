#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// hashicorp/nomad#6762: an overloaded daemon starts the container and answers 500. The retry and
// the stop meet the same daemon; then the driver gives up, and with it the id.
class Nomad6762 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        Result<void> started = co_await start_in_tries(request.key, id);
        if (started) started = co_await make_usable(request, id);
        if (started) co_return id;
        const Error error = started.error();
        Result<void> stopped = co_await remove_in_tries(request.key, id);
        static_cast<void>(stopped);  // there is nobody to tell it to
        co_return error;
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }

private:
    awaitable<Result<void>> start_in_tries(const std::string& key, const std::string& id) {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<void> started = co_await start(key, id);
            if (started || tries >= seams_.policy.attempts) co_return started;
            co_await back_off(key, tries);
        }
    }
};

}  // namespace

ClientKind nomad_6762() {
    return legacy_kind<Nomad6762>("nomad-6762",
                                  "takes a 5xx for not applied, and forgets what it cannot stop");
}

}  // namespace drydock::scenarios
