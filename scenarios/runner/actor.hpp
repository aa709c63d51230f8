#pragma once

#include <drydock/lease.hpp>
#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/history.hpp>
#include <drydock/scenarios/scenario.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace drydock::scenarios {

class ProcessRun;

/// Runs one actor's steps against the client, one after the other. A step that fails skips the rest
/// but for releases and cleanups, which run as in a `finally`.
class ActorRun {
public:
    enum class Status : std::uint8_t { pending, ok, failed, skipped, crashed };

    struct StepRun {
        Status status = Status::pending;
        std::optional<Error> error{};
        std::optional<JobReport> job{};  ///< of a run or wait that succeeded
        std::optional<Time> begun{};     ///< its call
        Time ended{};
    };

    /// `lane` tells its calls from the nursery's (0) and from other actors'.
    ActorRun(ProcessRun& process, const ActorScript& script, std::uint32_t lane);

    void begin() { next(); }
    bool has_ended() const noexcept { return index_ >= script_.steps.size(); }
    /// Its process died: whatever it was doing is over.
    void die();

    std::uint32_t lane() const noexcept { return lane_; }
    const std::string& name() const noexcept { return script_.name; }
    /// True if it is in a call that waits for work of that lease.
    bool waits_for(std::uint32_t lease) const noexcept;
    void cancel();

    const std::vector<StepRun>& steps() const noexcept { return steps_; }
    const ActorScript& script() const noexcept { return script_; }
    /// Keys that it holds, by its own successful acquires.
    const std::multiset<std::string>& holds() const noexcept { return holds_; }
    void forget(const std::string& key) { holds_.erase(key); }

private:
    void next();
    void perform(const ActorStep& step);
    void hold(const HoldStep& step);
    void acquire(const AcquireStep& step);
    void attach(const AttachStep& step);
    void release(const ReleaseStep& step);
    void cleanup(const CleanupStep& step);
    void close();
    void run_job(const RunStep& step);
    void wait_for_job(const WaitStep& step);
    void write_stdin(const StdinStep& step);
    void kill_job(const KillStep& step);
    void told(const JobReport& report);
    void begin_call(CallKind kind, std::string_view key, Duration deadline = {});
    template <class T, class Then>
    void spawn(awaitable<Result<T>> call, Then then);
    void call_failed(const Error& error);
    void call_ended(const std::optional<Error>& error);
    void got(const std::string& key, const std::string& id);
    LeaseRequest request_of(const AcquireStep& step);

    ProcessRun& process_;
    const ActorScript& script_;
    std::uint32_t lane_;
    std::size_t index_ = 0;
    std::vector<StepRun> steps_;
    std::multiset<std::string> holds_;
    bool has_failed_ = false;
    bool is_in_call_ = false;
    CallKind call_kind_{};
    std::uint32_t call_lease_ = 0;
    asio::cancellation_signal signal_;
};

}  // namespace drydock::scenarios
