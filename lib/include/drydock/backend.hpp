#pragma once

#include <drydock/capabilities.hpp>
#include <drydock/result.hpp>
#include <drydock/runtime.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock {

using Labels = std::vector<std::pair<std::string, std::string>>;

/// Label names that every sandbox of ours carries from its create on. They are also how an engine
/// model attributes a sandbox to the lease and the attempt that made it.
namespace label {
inline constexpr std::string_view owner = "drydock.owner";
inline constexpr std::string_view lease = "drydock.lease";
inline constexpr std::string_view attempt = "drydock.attempt";
inline constexpr std::string_view key = "drydock.key";  ///< the idempotency key of the acquisition
}  // namespace label

/// What to run. Image and command are the caller's; name and labels are the library's.
struct SandboxSpec {
    std::string image;
    std::vector<std::string> command;
    std::vector<std::string> environment;  ///< "NAME=value"
    Labels labels;                         ///< the caller's own, beside ours
};

/// A sandbox's state, as far as an owner must tell states apart.
enum class SandboxState : std::uint8_t {
    created,   ///< made, never started
    changing,  ///< starting, restarting, stopping: will become something else by itself
    running,
    stopped,   ///< exited, paused, stopped: there, not usable
    failed,    ///< dead or in error: there, will never be usable
    removing,  ///< a removal is at work
};

std::string_view name(SandboxState state);

struct SandboxInfo {
    std::string id;
    std::string name;
    SandboxState state = SandboxState::created;
    Labels labels;
    std::string detail;  ///< the backend's own text on a failed state

    std::string_view label(std::string_view name) const noexcept;
};

/// What every call to a backend needs besides its subject.
struct CallContext {
    Tag tag;
    Duration limit{};  ///< for this one exchange
    Interrupt interrupt = Interrupt::allowed;
};

/// Speaks one backend's API: each call is one exchange, and each failure comes back classified
/// (kind, landed) while its status and type are alive. No call retries.
///
/// `landed` of a failure: `no` where nothing was sent or the backend is known to refuse without
/// applying (Docker: every 4xx but a conflict, which may be with oneself, and an invalid create,
/// which may leave a sandbox in error); `yes` once a success status line was read; else `unknown`.
class Backend {
public:
    virtual ~Backend() = default;

    virtual const Capabilities& capabilities() const noexcept = 0;

    /// Makes a sandbox, not yet started. Returns its id.
    virtual awaitable<Result<std::string>> create(CallContext context, std::string_view name,
                                                  const SandboxSpec& spec,
                                                  const Labels& labels) = 0;
    /// Success also if it was running already.
    virtual awaitable<Result<void>> start(CallContext context, std::string_view id) = 0;
    /// By id, or by exact name. Absence is Error{not_found}.
    virtual awaitable<Result<SandboxInfo>> inspect(CallContext context,
                                                   std::string_view id_or_name) = 0;
    /// All sandboxes, in any state, that carry all of these labels.
    virtual awaitable<Result<std::vector<SandboxInfo>>> list(CallContext context,
                                                             const Labels& labels) = 0;
    /// Success means accepted, and gone only if `removal_confirmed`. Absence is Error{not_found}, a
    /// removal already at work or a change of state Error{conflict}.
    virtual awaitable<Result<void>> remove(CallContext context, std::string_view id) = 0;
};

}  // namespace drydock
