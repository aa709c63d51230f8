#pragma once

#include <drydock/backend.hpp>
#include <drydock/lease.hpp>
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

namespace drydock::scenarios {

/// What a client under test is given: the seams of one incarnation of its process. They outlive it.
struct ClientSeams {
    Runtime& runtime;
    Backend& backend;
    Ledger& ledger;
    Policy policy;
};

/// A job as the test bed asks for it.
struct JobRequest {
    std::string key;  ///< of the lease in whose sandbox it runs
    std::string job;  ///< its id
    std::vector<std::string> argv;
    bool has_stdin = false;
    std::optional<Duration> timeout{};  ///< then it is to be killed
};

/// What a client says of a job that has ended.
struct JobReport {
    std::optional<int> exit_code{};  ///< nothing: it says that it does not know
    std::string out;
    std::string err;
    bool is_whole = true;    ///< it says that this is all that the job wrote
    bool has_begun = true;   ///< else it says that the job never began and never will
    bool is_killed = false;  ///< it says that it ended the job, before that had an exit code
};

/// A client as the test bed drives it: the library, or one with a historic fault. Made anew for
/// each incarnation of its process. Calls of several actors may overlap; each is cancelled through
/// the coroutine that awaits it.
///
/// Sandboxes it makes must carry the labels owner (the ledger's), lease, attempt and key: the
/// engine attributes by them.
class ClientUnderTest {
public:
    virtual ~ClientUnderTest() = default;

    /// Returns the sandbox's id. The hold belongs to that actor until it releases the key.
    virtual awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) = 0;
    /// Gives the actor's hold back; without one, a no-op.
    virtual awaitable<Result<void>> release(std::uint32_t actor, std::string key) = 0;
    virtual awaitable<Result<void>> cleanup(std::string key) = 0;
    /// Whether the actor holds the key's sandbox now: an acquire that succeeds may have been
    /// overtaken by a cleanup of the same instant.
    virtual bool holds(std::uint32_t actor, const std::string& key) const = 0;
    virtual awaitable<Result<std::string>> attach(std::uint32_t actor, std::string key) = 0;
    /// The process is about to exit. `wait_late`: nothing presses it.
    virtual awaitable<Result<void>> close(bool wait_late) = 0;
    /// What it does after a restart, before anything else.
    virtual awaitable<Result<void>> recover() = 0;

    // Jobs in a sandbox that the actor holds. A client without jobs leaves these: Error{invalid}.
    // The environment of a job's processes must have DRYDOCK_JOB, and the job's id there or in
    // sim::job_id_variable: the engine attributes by them.

    /// Runs the job and waits for its end.
    virtual awaitable<Result<JobReport>> run_job(std::uint32_t actor, JobRequest request);
    virtual awaitable<Result<void>> start_job(std::uint32_t actor, JobRequest request);
    virtual awaitable<Result<JobReport>> wait_for_job(std::uint32_t actor, std::string key,
                                                      std::string job);
    virtual awaitable<Result<void>> write_stdin(std::uint32_t actor, std::string key,
                                                std::string job, std::string text);
    /// What it says of the job then, whose output it may leave out (`is_whole`).
    virtual awaitable<Result<JobReport>> kill_job(std::uint32_t actor, std::string key,
                                                  std::string job);
};

/// A client that can be named on the command line and in `expect.legacy`.
struct ClientKind {
    std::string name;
    std::string about;
    /// Judged by the ledger's rows too; a client without a ledger is not.
    bool has_ledger = false;
    std::function<std::unique_ptr<ClientUnderTest>(ClientSeams)> make;
};

/// The clients of one program, in order of registration. Users add their own.
class ClientRegistry {
public:
    /// Throws std::invalid_argument if the name is taken.
    void add(ClientKind kind);
    const ClientKind* find(std::string_view name) const;
    const std::vector<ClientKind>& kinds() const noexcept { return kinds_; }

private:
    std::vector<ClientKind> kinds_;
};

inline constexpr std::string_view library_client = "library";

/// The library and the legacy clients.
ClientRegistry builtin_clients();

}  // namespace drydock::scenarios
