#include "manager/recovery.hpp"

#include "manager/ending.hpp"
#include "manager/teardown.hpp"
#include "manager/watch.hpp"

#include <algorithm>
#include <utility>

namespace drydock::detail {

namespace {

awaitable<void> recover_key(CorePtr core, std::shared_ptr<KeyLease> lease) {
    const Obligations obligations = lease->obligations;
    for (const ObligationPtr& obligation : obligations) {
        if (obligation->torn_down || obligation->watched) continue;
        if (std::exchange(obligation->is_unwritten, false)) {
            Result<void> written = co_await core->ledger.put(obligation->row);
            static_cast<void>(written);
        }
        // While the record was written, another call may have attached to it or begun its teardown.
        const bool is_ours = std::find(lease->obligations.begin(), lease->obligations.end(),
                                       obligation) != lease->obligations.end();
        if (!is_ours || obligation->torn_down) continue;
        if (obligation->may_exist()) {
            pursue(core, lease, obligation);
        } else {
            watch(core, lease, obligation);
        }
    }
}

}  // namespace

awaitable<Result<void>> recover_all(CorePtr core) {
    if (core->closed) co_return refused("the manager is closed");
    for (const auto& [key, lease] : core->keys)
        co_await recover_key(core, lease);
    for (const auto& [key, lease] : core->keys) {
        co_await wait_all(core, key, under_way(*lease));
    }
    for (const auto& [key, lease] : core->keys) {
        const std::optional<Error> left = left_of(lease->obligations);
        if (left) co_return *left;
    }
    co_return Result<void>();
}

}  // namespace drydock::detail
