#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace drydock::scenarios {

namespace {

// usestrix/strix#831 with a shield that merely detaches: a second cancellation returns at once,
// while the delete goes on in the background, if its loop lives long enough.
class Strix831Detached final : public LegacyClient {
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
        co_await asio::this_coro::reset_cancellation_state();
        const std::shared_ptr<Event> done(seams_.runtime.make_event());
        asio::co_spawn(seams_.runtime.executor(), remove_in_background(request.key, id, done),
                       asio::detached);
        co_await seams_.runtime.wait(Tag(Operation::join, request.key), *done, std::nullopt,
                                     Interrupt::allowed);
        if (cancelled) std::rethrow_exception(cancelled);
        co_return usable.error();
    }

private:
    awaitable<void> remove_in_background(std::string key, std::string id,
                                         std::shared_ptr<Event> done) {
        for (std::uint32_t tries = 1; tries <= seams_.policy.attempts; ++tries) {
            Result<void> removed = co_await remove(key, id);
            if (removed) break;
            co_await back_off(key, tries);
        }
        done->set();
    }
};

}  // namespace

ClientKind strix_831_detached() {
    return legacy_kind<Strix831Detached>("strix-831-detached",
                                         "deletes on failure behind a shield that merely detaches");
}

}  // namespace drydock::scenarios
