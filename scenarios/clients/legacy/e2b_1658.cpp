#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// e2b-dev/E2B#1658: a create has no identity of its own. After a lost reply the sandboxes are
// listed by label; if there is none, another one is made. The first may be in flight still.
class E2b1658 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<std::string> sandbox = co_await obtain_in_one_attempt(request);
            if (sandbox) co_return sandbox;
            const Error error = sandbox.error();
            const bool ends = !is_transient(error.kind()) || tries >= seams_.policy.attempts;
            if (ends) co_return error;
            co_await remove_listed(request.key);
        }
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        return remove_in_tries(key, id);
    }

private:
    awaitable<void> remove_listed(const std::string& key) {
        const Labels labels = lease_labels(key);
        Result<std::vector<SandboxInfo>> listed = co_await list(key, labels);
        if (!listed) co_return;
        for (const SandboxInfo& sandbox : *listed) {
            Result<void> removed = co_await remove_in_tries(key, sandbox.id);
            static_cast<void>(removed);
        }
    }
};

}  // namespace

ClientKind e2b_1658() {
    return legacy_kind<E2b1658>("e2b-1658", "lets an empty list prove that nothing was made");
}

}  // namespace drydock::scenarios
