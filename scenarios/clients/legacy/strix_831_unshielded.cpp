#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <boost/asio/this_coro.hpp>

#include <exception>

namespace drydock::scenarios {

namespace {

// usestrix/strix#831, the first fix without a shield: any failure or cancellation before the
// container is registered deletes it, on the coroutine that a second cancellation still reaches.
class Strix831Unshielded final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        const std::uint32_t attempt = next_attempt(request.key);
        Result<std::string> created = co_await create(request, attempt);
        if (!created) co_return created;
        const std::string id = *created;
        std::exception_ptr cancelled;
        Result<void> usable;
        try {
            usable = co_await start(request.key, id);
            if (usable) usable = co_await make_usable(request, id);
        } catch (...) {
            cancelled = std::current_exception();
        }
        if (usable && !cancelled) co_return id;
        co_await asio::this_coro::reset_cancellation_state();  // the cleanup may run, until the
                                                               // next
        for (std::uint32_t tries = 1; tries <= seams_.policy.attempts; ++tries) {
            Result<void> removed = co_await remove(request.key, id);
            if (removed) break;
            co_await back_off(request.key, tries);
        }
        if (cancelled) std::rethrow_exception(cancelled);
        co_return usable.error();
    }
};

}  // namespace

ClientKind strix_831_unshielded() {
    return legacy_kind<Strix831Unshielded>(
        "strix-831-unshielded", "deletes on failure, where a second cancellation interrupts it");
}

}  // namespace drydock::scenarios
