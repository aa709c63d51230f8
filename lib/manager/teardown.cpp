#include "manager/teardown.hpp"

#include "manager/in_place.hpp"
#include "manager/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace drydock::detail {

namespace {

/// One row's way to confirmed absence: look it up if its id is unknown, remove, and read by id
/// until the backend says that it is gone. Only that read confirms; no answer to a remove does.
class Teardown {
public:
    Teardown(CorePtr core, LedgerRecord& row)
        : core_(std::move(core)),
          row_(row),
          until_(core_->runtime.now() + core_->policy.teardown_deadline) {}

    /// True once absence is confirmed, false at the deadline.
    awaitable<bool> run() {
        while (!is_over()) {
            if (row_.id.empty()) {
                const Step found = co_await find();
                if (found == Step::absent) co_return true;
                if (found == Step::again) {
                    co_await pause();
                    continue;
                }
            }
            co_await remove();
            const Step step = co_await confirm();
            if (step != Step::absent) continue;
            // A create that was given up may have made another one, under a name that was free
            // again.
            if (!row_.may_land_until) co_return true;
            gone_.push_back(std::exchange(row_.id, {}));
        }
        co_return false;
    }

private:
    enum class Step : std::uint8_t { absent, present, again };

    bool is_over() const { return core_->abandoned || core_->runtime.now() >= until_; }

    // Tries follow each other more slowly, but never so slowly that the deadline allows only one.
    awaitable<void> pause() {
        const Duration delay = std::min({core_->policy.settle * (1U << std::min(pauses_++, 4U)),
                                         until_ - core_->runtime.now()});
        const Duration at_least_nothing = std::max(delay, Duration::zero());
        co_await core_->runtime.sleep(Tag(Operation::settle, row_.key), at_least_nothing,
                                      Interrupt::shielded);
    }

    awaitable<Step> find() {
        Found found = co_await look_up(core_, row_, Operation::container_list, until_);
        if (found && *found && is_gone((*found)->id)) {
            // The list lags: it shows one that is known to be gone, and perhaps hides another.
            found = co_await look_up_by_name(core_, row_, Operation::container_inspect, until_);
        }
        if (!found) co_return Step::again;
        if (!*found) co_return Step::absent;
        co_await remember((*found)->id);
        co_return Step::present;
    }

    bool is_gone(const std::string& id) const {
        return std::find(gone_.begin(), gone_.end(), id) != gone_.end();
    }

    awaitable<void> remember(const std::string& id) {
        row_.id = id;
        row_.state = LedgerRecord::State::created;
        // A record not written leaves the entry open: recovery then finds the sandbox by name.
        Result<void> written = co_await core_->ledger.put(row_);
        static_cast<void>(written);
    }

    // Whatever it answers, the read that follows decides.
    awaitable<void> remove() {
        const CallContext context = call(Operation::container_remove);
        Result<void> removed = co_await core_->backend.remove(context, row_.id);
        static_cast<void>(removed);
    }

    // Reads until the sandbox is gone, or until it must be removed again.
    awaitable<Step> confirm() {
        while (!is_over()) {
            const CallContext context = call(Operation::container_inspect);
            Result<SandboxInfo> read = co_await core_->backend.inspect(context, row_.id);
            if (!read && read.error().kind() == ErrorKind::not_found) co_return Step::absent;
            co_await pause();
            if (!read || read->state == SandboxState::removing) continue;
            co_return Step::again;
        }
        co_return Step::again;
    }

    CallContext call(Operation operation) const {
        return {Tag(operation, row_.key), core_->limit_until(until_), Interrupt::shielded};
    }

    CorePtr core_;
    LedgerRecord& row_;
    Time until_;
    std::uint32_t pauses_ = 0;
    std::vector<std::string> gone_;  // ids of this row whose absence is confirmed
};

void forget(KeyLease& lease, const ObligationPtr& obligation) {
    std::erase(lease.obligations, obligation);
}

bool may_still_land(const Core& core, const LedgerRecord& row) {
    return row.may_land_until && *row.may_land_until > core.runtime.wall_now();
}

awaitable<void> tear_down(CorePtr core, std::shared_ptr<KeyLease> lease, ObligationPtr obligation) {
    LedgerRecord& row = obligation->row;
    Teardown teardown(core, row);
    const bool is_absent = co_await teardown.run();
    if (is_absent) {
        row.id.clear();
        const bool lands_perhaps = may_still_land(*core, row);
        row.state = lands_perhaps ? LedgerRecord::State::absent : LedgerRecord::State::closed;
        Result<void> written = co_await core->ledger.put(row);
        static_cast<void>(written);
        if (lands_perhaps) {
            watch(core, lease, obligation);
        } else if (!obligation->watched) {
            forget(*lease, obligation);
        }
    }
    obligation->torn_down->set();
}

}  // namespace

ObligationPtr add_obligation(KeyLease& lease, LedgerRecord row) {
    auto obligation = std::make_shared<ObligationEntry>();
    obligation->row = std::move(row);
    lease.obligations.push_back(obligation);
    return obligation;
}

void pursue(const CorePtr& core, const std::shared_ptr<KeyLease>& lease,
            const ObligationPtr& obligation) {
    if (obligation->is_under_way() || core->abandoned) return;
    obligation->torn_down = core->runtime.make_event();
    core->nursery.spawn(tear_down(core, lease, obligation));
}

// Only for the teardown that is under way now: if it leaves something, whoever begins the next one
// waits for that.
awaitable<void> wait_torn_down(CorePtr core, std::string key, ObligationPtr obligation) {
    if (!obligation->is_under_way()) co_return;
    const std::shared_ptr<Event> torn_down = obligation->torn_down;
    co_await core->runtime.wait(Tag(Operation::join, key), *torn_down, std::nullopt,
                                Interrupt::shielded);
}

Error not_torn_down(const LedgerRecord& row) {
    return Error(
        {.kind = ErrorKind::teardown,
         .message = fmt::format("sandbox {} ({}) is not confirmed gone; the ledger keeps it",
                                row.name, row.id.empty() ? std::string_view("id unknown") : row.id),
         .obligation = Obligation::remains});
}

}  // namespace drydock::detail
