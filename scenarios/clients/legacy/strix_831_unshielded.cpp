#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace drydock::scenarios {

namespace {

// usestrix/strix#831, the first fix without a shield: any failure or cancellation before the
// container is registered deletes it, on the coroutine that a second cancellation still reaches.
class Strix831Unshielded final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        Result<Begun> made = co_await begin(request);
        if (!made) co_return made.error();
        Begun begun = std::move(*made);
        if (begun.is_usable()) co_return begun.id;
        co_await asio::this_coro::reset_cancellation_state();  // the cleanup may run, until the
                                                               // next
        for (std::uint32_t tries = 1; tries <= seams_.policy.attempts; ++tries) {
            Result<void> removed = co_await remove(request.key, begun.id);
            if (removed) break;
            co_await back_off(request.key, tries);
        }
        if (begun.cancelled) std::rethrow_exception(begun.cancelled);
        co_return begun.usable.error();
    }
};

}  // namespace

ClientKind strix_831_unshielded() {
    return legacy_kind<Strix831Unshielded>(
        "strix-831-unshielded", "deletes on failure, where a second cancellation interrupts it");
}

}  // namespace drydock::scenarios
