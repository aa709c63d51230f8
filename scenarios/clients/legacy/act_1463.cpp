#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <exception>
#include <utility>

namespace drydock::scenarios {

namespace {

// nektos/act#1463: the container is stopped with the job's own context. After a cancellation that
// context is dead, and every call in it fails before anything is sent.
class Act1463 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        Result<Begun> made = co_await begin(request);
        if (!made) co_return made.error();
        Begun begun = std::move(*made);
        if (begun.is_usable()) co_return begun.id;
        try {
            Result<void> removed = co_await remove_in_tries(request.key, begun.id);
            static_cast<void>(removed);
        } catch (...) {
            if (!begun.cancelled) begun.cancelled = std::current_exception();
        }
        if (begun.cancelled) std::rethrow_exception(begun.cancelled);
        co_return begun.usable.error();
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
