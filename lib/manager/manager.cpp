#include "manager/acquiring.hpp"
#include "manager/attaching.hpp"
#include "manager/ending.hpp"
#include "manager/public_call.hpp"
#include "manager/recovery.hpp"
#include "manager/watch.hpp"

#include <drydock/lease.hpp>

#include <algorithm>
#include <utility>

namespace drydock {

using namespace detail;

namespace {

// Ends all flights and tears everything down; what the deadline leaves is the ledger's.
awaitable<Result<void>> close_all(CorePtr core, Closing closing) {
    core->closed = true;
    std::optional<Time> until;
    if (closing.deadline) until = core->runtime.now() + *closing.deadline;
    if (!closing.wait_late) stop_watching(*core);
    for (const auto& [key, lease] : core->keys)
        core->nursery.spawn(end_key(core, key));
    bool is_idle = co_await core->nursery.wait_until_idle(until);
    // A watch may begin one more teardown, and waits for it itself.
    if (is_idle) is_idle = co_await core->watches.wait_until_idle(until);
    if (!is_idle) core->abandoned = true;
    for (const auto& [key, lease] : core->keys) {
        const std::optional<Error> left = left_of(lease->obligations);
        if (left) co_return *left;
    }
    co_return Result<void>();
}

bool holds_something(const Core& core) {
    return std::any_of(core.keys.begin(), core.keys.end(),
                       [](const auto& entry) { return entry.second->live != nullptr; });
}

}  // namespace

Lease& Lease::operator=(Lease&& other) noexcept {
    Lease taken(std::move(other));
    std::swap(live_, taken.live_);
    return *this;
}

// Dropping the last handle begins the teardown in the nursery. In a process that died there is no
// nursery any more, and nothing to begin.
Lease::~Lease() {
    if (!live_) return;
    if (const CorePtr core = live_->core.lock()) give_back(core, live_);
}

bool Lease::holds() const noexcept { return live_ && !live_->released; }

const SandboxInfo& Lease::sandbox() const { return live_->sandbox; }

// The hold leaves the handle only once this runs: a caller that was cancelled before throws at its
// co_await, and its handle still holds.
awaitable<Result<void>> Lease::release() {
    const std::shared_ptr<LiveSandbox> live = std::exchange(live_, nullptr);
    const CorePtr core = live ? live->core.lock() : nullptr;
    if (!core) co_return Result<void>();
    Result<void> released = co_await public_call(release_live(core, live));
    co_return released;
}

SandboxManager::SandboxManager(Runtime& runtime, Backend& backend, Ledger& ledger, Policy policy)
    : core_(std::make_shared<Core>(runtime, backend, ledger, std::move(policy))) {}

SandboxManager::~SandboxManager() {
    const bool has_work = core_->nursery.running() > 0 || holds_something(*core_);
    if (has_work && !core_->abandoned) {
        core_->runtime.report("a SandboxManager with work left was destroyed unclosed");
    }
    core_->abandoned = true;
    // A flight whose process died never takes itself off its key, and would keep all of this alive.
    for (const auto& [key, lease] : core_->keys)
        lease->flight.reset();
}

awaitable<Result<Lease>> SandboxManager::acquire(LeaseRequest request) {
    Result<std::shared_ptr<LiveSandbox>> held =
        co_await public_call(acquire_live(core_, std::move(request)));
    if (!held) co_return held.error();
    co_return Lease(std::move(*held));
}

awaitable<Result<Lease>> SandboxManager::attach(std::string key_or_id) {
    Result<std::shared_ptr<LiveSandbox>> held =
        co_await public_call(attach_live(core_, std::move(key_or_id)));
    if (!held) co_return held.error();
    co_return Lease(std::move(*held));
}

awaitable<Result<void>> SandboxManager::cleanup(std::string key) {
    return public_call(clean_up_key(core_, std::move(key)));
}

awaitable<Result<void>> SandboxManager::recover() { return public_call(recover_all(core_)); }

awaitable<Result<void>> SandboxManager::close(Closing closing) {
    return public_call(close_all(core_, closing));
}

}  // namespace drydock
