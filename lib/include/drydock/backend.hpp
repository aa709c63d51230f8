#pragma once

#include <drydock/capabilities.hpp>
#include <drydock/result.hpp>
#include <drydock/runtime.hpp>

#include <cstdint>
#include <memory>
#include <optional>
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
    std::string detail;      ///< the backend's own text on a failed state
    bool is_paused = false;  ///< stopped, but its programs would go on

    std::string_view label(std::string_view name) const noexcept;
};

/// What every call to a backend needs besides its subject.
struct CallContext {
    Tag tag;
    Duration limit{};  ///< for this one exchange
    Interrupt interrupt = Interrupt::allowed;
};

/// A program that is run inside a running sandbox.
struct ExecSpec {
    std::vector<std::string> argv;
    std::vector<std::string> environment;  ///< "NAME=value", beside the sandbox's own
    bool has_output = false;               ///< `exec_open` will read what it prints
};

/// What is known of a program started by `exec_start` or `exec_open`.
struct ExecStatus {
    bool is_running = false;
    std::optional<int> exit_code{};  ///< nothing while it runs, or if it was never started
};

/// Bytes of a program's output. None at all: the clean end of the stream, which says nothing
/// about the program.
struct ExecOutput {
    enum class Source : std::uint8_t { out, err };
    Source source = Source::out;
    std::string bytes;
};

/// The output of an attached program. Dropping it leaves the program running.
class ExecStream {
public:
    virtual ~ExecStream() = default;
    virtual awaitable<Result<ExecOutput>> read(CallContext context) = 0;
    /// Nothing has come that `read` has not handed out.
    virtual bool is_drained() const noexcept = 0;
};

/// One entry of a folder in a sandbox.
struct FileEntry {
    enum class Kind : std::uint8_t { file, folder, link, other };
    Kind kind = Kind::file;
    std::string path;     ///< relative to the folder that was asked for, "" for itself
    std::string content;  ///< of a file; of a link, its text
    std::uint32_t mode = 0644;
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

    /// Prepares a program in the running sandbox `id`. Returns the exec's own id. May be repeated:
    /// an exec that is never started does nothing.
    virtual awaitable<Result<std::string>> exec_create(CallContext context, std::string_view id,
                                                       const ExecSpec& spec) = 0;
    /// Starts it and leaves it alone. Error{conflict} if it was started before.
    virtual awaitable<Result<void>> exec_start(CallContext context, std::string_view exec) = 0;
    /// Starts it and reads what it prints. A program that could not be started, also because it was
    /// before, may show as text in the stream only.
    virtual awaitable<Result<std::unique_ptr<ExecStream>>> exec_open(CallContext context,
                                                                     std::string_view exec) = 0;
    virtual awaitable<Result<ExecStatus>> exec_inspect(CallContext context,
                                                       std::string_view exec) = 0;
    /// Writes these entries into the folder, which exists. What is there is overwritten. The
    /// entries must outlive the call.
    virtual awaitable<Result<void>> upload(CallContext context, std::string_view id,
                                           std::string_view folder,
                                           const std::vector<FileEntry>& entries) = 0;
    /// The folder and all that is in it; works on a stopped sandbox too. Error{not_found} if there
    /// is no such folder.
    virtual awaitable<Result<std::vector<FileEntry>>> download(CallContext context,
                                                               std::string_view id,
                                                               std::string_view folder) = 0;
};

}  // namespace drydock
