#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace drydock::scenarios {

namespace {

// elizaOS/eliza#29678: the name is the handle. The clean-up of a container that failed goes on in
// the background, and what holds the name by then may be its healthy successor.
class Eliza29678 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    std::string sandbox_name(const std::string& key, std::uint32_t) const override {
        return std::string(seams_.ledger.owner()) + "-" + key;
    }

    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<std::string> container = co_await obtain_once(request);
            if (container) co_return container;
            const Error error = container.error();
            const bool heals = is_transient(error.kind()) || error.kind() == ErrorKind::conflict;
            if (!heals || tries >= seams_.policy.attempts) co_return error;
            co_await back_off(request.key, tries);
        }
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }

private:
    awaitable<Result<std::string>> obtain_once(const LeaseRequest& request) {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        Result<void> usable = co_await start(request.key, id);
        if (usable) usable = co_await make_usable(request, id);
        if (usable) co_return id;
        asio::co_spawn(seams_.runtime.executor(), clean_up(request.key), asio::detached);
        co_return usable.error();
    }

    awaitable<void> clean_up(std::string key) {
        const std::string name = sandbox_name(key, 0);
        Result<void> removed = co_await remove_in_tries(key, name);
        static_cast<void>(removed);
    }
};

}  // namespace

ClientKind eliza_29678() {
    return legacy_kind<Eliza29678>("eliza-29678",
                                   "deletes by a name that its successor may have by then");
}

}  // namespace drydock::scenarios
