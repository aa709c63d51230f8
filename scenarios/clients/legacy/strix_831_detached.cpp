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
        Result<Begun> made = co_await begin(request);
        if (!made) co_return made.error();
        Begun begun = std::move(*made);
        if (begun.is_usable()) co_return begun.id;
        co_await asio::this_coro::reset_cancellation_state();
        const std::shared_ptr<Event> done(seams_.runtime.make_event());
        asio::co_spawn(seams_.runtime.executor(), remove_in_background(request.key, begun.id, done),
                       asio::detached);
        co_await seams_.runtime.wait(Tag(Operation::join, request.key), *done, std::nullopt,
                                     Interrupt::allowed);
        if (begun.cancelled) std::rethrow_exception(begun.cancelled);
        co_return begun.usable.error();
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
