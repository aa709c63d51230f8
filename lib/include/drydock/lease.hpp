#pragma once

#include <drydock/backend.hpp>
#include <drydock/ledger.hpp>
#include <drydock/retry.hpp>
#include <drydock/runtime.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace drydock {

namespace detail {
struct Core;
struct LiveSandbox;
}  // namespace detail

/// What the caller prepares for a start and must clean up once: temporary sources, keys, ... It is
/// prepared once, outlives all attempts, and is cleaned up once, when the acquire ends either way.
/// A clean-up that fails after a success changes nothing of it: only the callback can tell.
struct Staging {
    Runtime::Callback prepare;
    Runtime::Callback clean_up;
};

struct LeaseRequest {
    /// Names the logical work. Any text in UTF-8 but the empty one; the sandbox's name shows a hash
    /// of what a name cannot hold.
    std::string key;
    SandboxSpec spec;
    std::optional<Staging> staging{};
    /// Run once each, in reverse, when the acquire fails; their errors are attached to its error.
    std::vector<Runtime::Callback> undo{};
    /// What the caller does before the sandbox is usable. A failure ends the attempt like a failed
    /// start: torn down, and tried again only if its kind is transient. What it is given lives as
    /// long as it does, also when it is abandoned (see Runtime::call).
    std::function<awaitable<Result<void>>(const SandboxInfo&)> bootstrap{};
    std::uint32_t bootstrap_tries = 1;  ///< per attempt, `Policy::settle` apart
    /// This caller's own limit for the whole call, teardown included; Policy::deadline if absent.
    /// Must be longer than Policy::teardown_deadline, which is its reserve. What is not torn down
    /// by then goes on without the caller, whose error says that an obligation remains.
    std::optional<Duration> deadline{};
};

/// One holder's right to a live sandbox. The sandbox is torn down when its last handle is released.
/// Dropping a handle releases it too, without waiting: the manager's nursery tears down.
class [[nodiscard]] Lease {
public:
    Lease() = default;  ///< holds nothing
    Lease(Lease&& other) noexcept = default;
    Lease& operator=(Lease&& other) noexcept;
    ~Lease();

    bool holds() const noexcept;
    /// Only while it holds.
    const SandboxInfo& sandbox() const;

    /// Gives this handle back. The last one tears down and returns when absence is confirmed by id,
    /// or with Error{teardown, obligation remains} at the teardown deadline: the ledger keeps it.
    /// A second release, and one after cleanup, are no-ops.
    /// Cancellation: neither stops nor detaches the teardown; the caller's own record survives.
    awaitable<Result<void>> release();

private:
    friend class SandboxManager;
    friend class Jobs;
    explicit Lease(std::shared_ptr<detail::LiveSandbox> live) : live_(std::move(live)) {}

    std::shared_ptr<detail::LiveSandbox> live_;
};

/// How `close` ends.
struct Closing {
    /// After it, what is not yet torn down is left to the ledger. Absent: until all is.
    std::optional<Duration> deadline{};
    /// Also wait until no create that was given up can land any more (up to Policy::late_horizon).
    bool wait_late = false;
};

/// Acquires, shares and tears down sandboxes of one owner (the ledger's) on one backend.
///
/// All calls come from the runtime's executor. Calls for one key share one flight: at most one
/// sandbox of a lease exists that is not under removal, but for a create that lands after it was
/// given up, which is found and removed within Policy::late_watch and one request timeout.
///
/// Errors: what made the last attempt fail is the primary error, earlier attempts and a failed
/// teardown are its causes (S1). If a sandbox known to exist is not confirmed gone by the teardown
/// deadline, nothing more is created (`fail closed`) and the error says that an obligation remains.
///
/// Cancellation (terminal): public calls return Error{cancelled} and the caller's own record of the
/// cancellation survives. Teardown belongs to the nursery: cancelling a caller any number of times
/// neither stops it nor returns before it is done or its deadline hands it to the ledger.
class SandboxManager {
public:
    /// All must outlive it. Meets nothing by itself: see `recover`.
    SandboxManager(Runtime& runtime, Backend& backend, Ledger& ledger, Policy policy);
    /// Destroying it unclosed while work remains is a defect of the program, and is reported.
    ~SandboxManager();
    SandboxManager(const SandboxManager&) = delete;
    SandboxManager& operator=(const SandboxManager&) = delete;

    /// A handle on the key's live sandbox, made if there is none. Who joins a flight under way
    /// shares its outcome and its request. Joins an open teardown of its key first; Error{teardown}
    /// if a known sandbox of the key cannot be confirmed gone. Error{ledger}: nothing was sent.
    /// Error{invalid} at once for a key or a deadline that cannot be.
    awaitable<Result<Lease>> acquire(LeaseRequest request);

    /// A handle on a sandbox known from before, by key or by id: live here, or in the ledger from
    /// an earlier process and not yet met by `recover`. Error{not_found} if there is none,
    /// Error{provisioning} if it is not running, which is read each time.
    awaitable<Result<Lease>> attach(std::string key_or_id);

    /// Releases all handles of the key, ends its flight, and tears down. An unknown key is a no-op.
    awaitable<Result<void>> cleanup(std::string key);

    /// Meets the obligations that the ledger held at opening: by id, else by label and exact name.
    /// Returns when each is torn down or was left at its teardown deadline (Error{teardown}).
    awaitable<Result<void>> recover();

    /// Ends every flight, tears down every sandbox, and waits for the nursery. Afterwards every
    /// call but close is Error{invalid}, and nothing of the manager runs any more unless a deadline
    /// cut it short. Error{teardown} if a sandbox that may exist was left to the ledger; a create
    /// that may still land is left there without a word.
    awaitable<Result<void>> close(Closing closing = {});

private:
    friend class Jobs;

    std::shared_ptr<detail::Core> core_;
};

}  // namespace drydock
