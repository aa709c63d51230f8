#include "clients/legacy/kinds.hpp"
#include "clients/legacy/legacy_client.hpp"

#include <set>

namespace drydock::scenarios {

namespace {

// Cloudgeni-ai/opengeni#241: before it makes a box, the sweep removes each one of its own that the
// table of leases does not know. One that another call is just making is not in the table yet.
class Opengeni241 final : public LegacyClient {
public:
    using LegacyClient::LegacyClient;

protected:
    awaitable<Result<std::string>> obtain(const LeaseRequest& request) override {
        co_await sweep(request.key);
        Result<std::string> box = co_await obtain_in_one_attempt(request);
        if (box) table_.insert(*box);
        co_return box;
    }

    awaitable<Result<void>> dispose(const std::string& key, const std::string& id) override {
        Result<void> removed = co_await remove_in_tries(key, id);
        table_.erase(id);
        co_return removed;
    }

private:
    awaitable<void> sweep(const std::string& key) {
        const Labels labels = owner_labels();
        Result<std::vector<SandboxInfo>> boxes = co_await list(key, labels);
        if (!boxes) co_return;
        for (const SandboxInfo& box : *boxes) {
            const bool is_orphan = table_.count(box.id) == 0 && box.state != SandboxState::removing;
            if (!is_orphan) continue;
            Result<void> removed = co_await remove(key, box.id);
            static_cast<void>(removed);
        }
    }

    std::set<std::string> table_;
};

}  // namespace

ClientKind opengeni_241() {
    return legacy_kind<Opengeni241>("opengeni-241", "sweeps what its table does not know yet");
}

}  // namespace drydock::scenarios
