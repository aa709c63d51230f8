#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// usestrix/strix#830 before its fix: the container is live as soon as it runs, and registered for
// cleanup only after its bootstrap.
class Strix830 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        Result<void> started = co_await start(request.key, id);
        if (!started) co_return started.error();
        Result<void> usable = co_await make_usable(request, id);
        if (!usable) co_return usable.error();
        co_return id;
    }
};

}  // namespace

ClientKind strix_830() {
    return legacy_kind<Strix830>("strix-830",
                                 "registers a container for cleanup only after its bootstrap");
}

}  // namespace drydock::scenarios
