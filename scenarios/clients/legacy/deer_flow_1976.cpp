#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace drydock::scenarios {

namespace {

// bytedance/deer-flow#1976: containers are removed with care, after a cancellation too, but which
// there are stands in memory only. After a restart there is nothing to check, and nobody lists.
class DeerFlow1976 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        Result<Begun> made = co_await begin(request);
        if (!made) co_return made.error();
        Begun begun = std::move(*made);
        if (begun.is_usable()) co_return begun.id;
        co_await asio::this_coro::reset_cancellation_state();
        Result<void> removed = co_await remove_in_tries(request.key, begun.id);
        static_cast<void>(removed);
        if (begun.cancelled) std::rethrow_exception(begun.cancelled);
        co_return begun.usable.error();
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
