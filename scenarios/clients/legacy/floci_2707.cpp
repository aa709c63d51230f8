#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// floci-io/floci#2707: the transport replays a create whose reply was lost, and nobody looks up who
// holds the name that the replay finds taken.
class Floci2707 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create_with_replays(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        Result<void> usable = co_await start(request.key, id);
        if (usable) usable = co_await make_usable(request, id);
        if (usable) co_return id;
        const Error error = usable.error();
        Result<void> removed = co_await remove(request.key, id);
        static_cast<void>(removed);
        co_return error;
    }

private:
    awaitable<Result<std::string>> create_with_replays(const LeaseRequest& request,
                                                       std::uint32_t attempt) {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<std::string> created = co_await create(request, attempt);
            if (created) co_return created;
            const Error error = created.error();
            const bool ends = !is_transient(error.kind()) || tries >= seams_.policy.attempts;
            if (ends) co_return error;
            co_await back_off(request.key, tries);
        }
    }
};

}  // namespace

ClientKind floci_2707() {
    return legacy_kind<Floci2707>("floci-2707",
                                  "replays a create and never looks up who holds the name");
}

}  // namespace drydock::scenarios
