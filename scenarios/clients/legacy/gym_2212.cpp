#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace drydock::scenarios {

namespace {

// NVIDIA-NeMo/Gym#2212: teardown moved to a daemon thread, so that the result is not delayed. When
// the worker is evicted, the thread dies with it.
class Gym2212 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_one_attempt(request);
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        asio::co_spawn(seams_.runtime.executor(), remove_in_background(key, id), asio::detached);
        co_return Result<void>();
    }

private:
    awaitable<void> remove_in_background(std::string key, std::string id) {
        Result<void> removed = co_await remove_in_tries(key, id);
        static_cast<void>(removed);
    }
};

}  // namespace

ClientKind gym_2212() {
    return legacy_kind<Gym2212>("gym-2212", "deletes in the background, and nobody waits for it");
}

}  // namespace drydock::scenarios
