#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// Icinga/icinga2#10139, and containerd/containerd#13850 at the delete: the timeout cancels once, at
// a moment when nothing is outstanding, and every phase after it waits for ever.
class Icinga10139 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

    awaitable<Result<void>> recover() override {
        const std::string everything;
        const Labels labels = owner_labels();
        Result<std::vector<SandboxInfo>> left = co_await list(everything, labels);
        if (!left) co_return left.error();
        for (const SandboxInfo& sandbox : *left) {
            const std::string key(sandbox.label(label::lease));
            Result<void> removed = co_await remove_in_tries(key, sandbox.id);
            static_cast<void>(removed);
        }
        co_return Result<void>();
    }

protected:
    CallContext context(Operation operation, const std::string& key) const override {
        constexpr Duration never = std::chrono::hours(24 * 365);
        return {Tag(operation, key), never, Interrupt::allowed};
    }

    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_one_attempt(request);
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }
};

}  // namespace

ClientKind icinga_10139() {
    return legacy_kind<Icinga10139>("icinga-10139", "waits for each answer without a limit");
}

}  // namespace drydock::scenarios
