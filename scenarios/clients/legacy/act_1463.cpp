#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <exception>

namespace drydock::scenarios {

namespace {

// nektos/act#1463: the container is stopped with the job's own context. After a cancellation that
// context is dead, and every call in it fails before anything is sent.
class Act1463 final : public LegacyClient {
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
        try {
            Result<void> removed = co_await remove_in_tries(request.key, id);
            static_cast<void>(removed);
        } catch (...) {
            if (!cancelled) cancelled = std::current_exception();
        }
        if (cancelled) std::rethrow_exception(cancelled);
        co_return usable.error();
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }
};

}  // namespace

ClientKind act_1463() {
    return legacy_kind<Act1463>("act-1463", "cleans up in the context that was cancelled");
}

}  // namespace drydock::scenarios
