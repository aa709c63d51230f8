#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <boost/asio/this_coro.hpp>

#include <exception>

namespace drydock::scenarios {

namespace {

// bytedance/deer-flow#1976: containers are removed with care, after a cancellation too, but which
// there are stands in memory only. After a restart there is nothing to check, and nobody lists.
class DeerFlow1976 final : public LegacyClient {
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
        Result<void> removed = co_await remove_in_tries(request.key, id);
        static_cast<void>(removed);
        if (cancelled) std::rethrow_exception(cancelled);
        co_return usable.error();
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }
};

}  // namespace

ClientKind deer_flow_1976() {
    return legacy_kind<DeerFlow1976>("deer-flow-1976",
                                     "knows its containers only as long as it lives");
}

}  // namespace drydock::scenarios
