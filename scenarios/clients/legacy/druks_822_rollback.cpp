#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// druks ENG-822, the finding left open there: set-up fails, and the roll-back (undo the caller's
// steps, delete the host) is plain code, so that a step that fails hides the original error and
// keeps the steps after it from running.
class Druks822Rollback final : public LegacyClient {
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
        const Error original = usable.error();
        Result<void> rolled_back = co_await roll_back(request, id);
        if (!rolled_back) co_return rolled_back.error();
        co_return original;
    }

private:
    awaitable<Result<void>> roll_back(const LeaseRequest& request, const std::string& id) {
        for (const Runtime::Callback& undo : request.undo) {
            Result<void> undone = co_await seams_.runtime.call(
                Tag(Operation::undo, request.key), undo, std::nullopt, Interrupt::allowed);
            if (!undone) co_return undone;
        }
        Result<void> removed = co_await remove_in_tries(request.key, id);
        co_return removed;
    }
};

}  // namespace

ClientKind druks_822_rollback() {
    return legacy_kind<Druks822Rollback>(
        "druks-822-rollback", "ends its roll-back at the first step that fails, and reports that");
}

}  // namespace drydock::scenarios
