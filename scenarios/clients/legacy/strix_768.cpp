#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// usestrix/strix#768 before its fix: a failed attempt is deleted, and whether that worked is not
// asked before the next one begins.
class Strix768 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<std::string> session = co_await start_session(request);
            if (session) co_return session;
            const Error error = session.error();
            const bool ends = !is_transient(error.kind()) || tries >= seams_.policy.attempts;
            if (ends) co_return error;
            co_await back_off(request.key, tries);
        }
    }

private:
    awaitable<Result<std::string>> start_session(const LeaseRequest& request) {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        Result<void> started = co_await start(request.key, id);
        if (started) started = co_await make_usable(request, id);
        if (started) co_return id;
        const Error error = started.error();
        Result<void> removed = co_await remove(request.key, id);
        static_cast<void>(removed);  // logged, then
        co_return error;
    }
};

}  // namespace

ClientKind strix_768() {
    return legacy_kind<Strix768>("strix-768",
                                 "retries a start though the failed one could not be deleted");
}

}  // namespace drydock::scenarios
