#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

namespace drydock::scenarios {

namespace {

// Reads a failed probe as absence: before each delete it asks whether the sandbox exists, and takes
// any error for "no" (the corpus's kind probe_failure_as_absence).
class FailedProbe final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        return obtain_in_one_attempt(request);
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<SandboxInfo> probe = co_await inspect(key, id);
            if (!probe) co_return Result<void>();  // "it is not there"
            Result<void> removed = co_await remove(key, id);
            if (removed || tries >= seams_.policy.attempts) co_return removed;
            co_await back_off(key, tries);
        }
    }
};

}  // namespace

ClientKind failed_probe() {
    return legacy_kind<FailedProbe>("failed-probe", "reads a failed look-up as absence");
}

}  // namespace drydock::scenarios
