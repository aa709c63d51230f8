// A backend whose leases are the real ones of a bed, and whose execs, streams and archives say what
// a test tells them.
#pragma once

#include <drydock/backend.hpp>
#include <drydock/runtime.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace drydock::test {

/// What one stream of a guard brings, and how it ends.
struct Stream {
    enum class End : std::uint8_t { clean, reset, stall };
    std::vector<std::string> pieces{};  ///< of stdout
    End end = End::clean;
    std::string stderr_text{};
};

/// An answer: what a test says, else success.
using Refusal = std::optional<Error>;

/// What a test says, and what the library asked. Outlives the backends of all incarnations.
struct GuardScript {
    // What comes next; empty: success, and streams as `streams` has them.
    std::deque<Refusal> uploads;
    std::deque<Refusal> creates;  ///< of any exec
    std::deque<Refusal> starts;   ///< detached
    std::deque<Refusal> opens;    ///< of any verb
    std::deque<Result<ExecStatus>> statuses;
    std::deque<Result<std::vector<FileEntry>>> downloads;
    std::deque<Result<SandboxInfo>> inspects;           ///< of the sandbox; empty: the real ones
    std::map<std::string, std::deque<Stream>> streams;  ///< by verb; none left: a clean end
    std::function<void()> on_start{};                   ///< before each start is answered

    std::vector<std::vector<FileEntry>> uploaded;
    std::vector<ExecSpec> execs;
    std::vector<std::string> started;  ///< their exec ids
    std::vector<std::vector<std::string>> opened;
    std::vector<std::string> inspected;
    std::vector<std::string> read_folders;
    std::vector<Duration> read_limits;

    /// How often the verb was begun, attached or not.
    std::size_t count(const std::string& verb) const;
    const ExecSpec& exec(const std::string& id) const;
};

class ScriptedGuard final : public Backend {
public:
    ScriptedGuard(GuardScript& script, Backend& real, Runtime& runtime)
        : script_(script), real_(real), runtime_(runtime) {}

    const Capabilities& capabilities() const noexcept override { return real_.capabilities(); }
    awaitable<Result<std::string>> create(CallContext context, std::string_view name,
                                          const SandboxSpec& spec, const Labels& labels) override {
        return real_.create(context, name, spec, labels);
    }
    awaitable<Result<void>> start(CallContext context, std::string_view id) override {
        return real_.start(context, id);
    }
    awaitable<Result<SandboxInfo>> inspect(CallContext context,
                                           std::string_view id_or_name) override;
    awaitable<Result<std::vector<SandboxInfo>>> list(CallContext context,
                                                     const Labels& labels) override {
        return real_.list(context, labels);
    }
    awaitable<Result<void>> remove(CallContext context, std::string_view id) override {
        return real_.remove(context, id);
    }

    awaitable<Result<std::string>> exec_create(CallContext context, std::string_view id,
                                               const ExecSpec& spec) override;
    awaitable<Result<void>> exec_start(CallContext context, std::string_view exec) override;
    awaitable<Result<std::unique_ptr<ExecStream>>> exec_open(CallContext context,
                                                             std::string_view exec) override;
    awaitable<Result<ExecStatus>> exec_inspect(CallContext context, std::string_view exec) override;
    awaitable<Result<void>> upload(CallContext context, std::string_view id,
                                   std::string_view folder,
                                   const std::vector<FileEntry>& entries) override;
    awaitable<Result<std::vector<FileEntry>>> download(CallContext context, std::string_view id,
                                                       std::string_view folder) override;

private:
    awaitable<Refusal> travel(CallContext context, std::deque<Refusal>* answers);

    GuardScript& script_;
    Backend& real_;
    Runtime& runtime_;
};

/// Errors as an adapter makes them.
Error lost(Operation operation);  ///< no answer in time: it may have landed
Error refused_connection(Operation operation);
Error answered(Operation operation, ErrorKind kind, int status, Landed landed = Landed::no);

}  // namespace drydock::test
