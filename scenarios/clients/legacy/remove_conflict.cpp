#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// moby/moby#26073 from the client's side: a 409 at remove is taken for the end of the matter, as if
// whoever is at it were sure to succeed.
class RemoveConflict final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        Result<void> usable = co_await start(request.key, id);
        if (usable) usable = co_await make_usable(request, id);
        if (usable) co_return id;
        const Error error = usable.error();
        Result<void> disposed = co_await dispose(request.key, id);
        static_cast<void>(disposed);
        co_return error;
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<void> removed = co_await remove(key, id);
            if (removed) co_return removed;
            const Error error = removed.error();
            const bool is_over = error.kind() == ErrorKind::conflict ||
                                 error.kind() == ErrorKind::not_found ||
                                 tries >= seams_.policy.attempts;
            if (is_over) co_return error;
            co_await back_off(key, tries);
        }
    }
};

}  // namespace

ClientKind remove_conflict() {
    return legacy_kind<RemoveConflict>("remove-conflict", "gives up on a conflict at remove");
}

}  // namespace drydock::scenarios
