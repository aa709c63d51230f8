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
        return obtain_in_one_attempt(request);
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
