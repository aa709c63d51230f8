#pragma once

#include <drydock/sim/callback.hpp>
#include <drydock/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

/// The states of all personalities; each uses some of them. `name` gives the word on the wire.
enum class Status : std::uint8_t {
    creating,
    created,
    starting,
    restarting,
    running,
    paused,
    exited,
    removing,
    destroying,
    dead,
    error,
};

std::string_view name(Status status);
std::optional<Status> status_from_name(std::string_view name);

/// True while it will become something else by itself.
constexpr bool is_changing(Status status) {
    return status == Status::creating || status == Status::starting ||
           status == Status::restarting || status == Status::removing ||
           status == Status::destroying;
}

enum class RestartPolicy : std::uint8_t { no, always, unless_stopped, on_failure };

/// A host port as a create asks for it.
struct PortBinding {
    std::string port;  ///< "80/tcp"
    std::string host_ip;
    std::string host_port;
};

/// What a create asked for, as far as an answer shows it or a start depends on it.
struct SandboxConfig {
    std::string image;
    std::vector<std::string> entrypoint;
    std::vector<std::string> command;
    std::vector<std::string> environment;
    std::vector<std::pair<std::string, std::string>> labels;  ///< sorted by key, keys differ
    std::string working_dir;
    std::string user;
    std::string network_mode = "default";
    std::vector<std::string> exposed_ports;
    std::vector<PortBinding> port_bindings;
    std::optional<std::int64_t> stop_timeout;
    int stop_signal = 0;           ///< 0: TERM
    std::string stop_signal_text;  ///< as given
    RestartPolicy restart_policy = RestartPolicy::no;
    std::uint32_t maximum_retries = 0;  ///< of on_failure; 0: no limit
    bool has_environment = false;       ///< an empty list is not shown as no list
    bool auto_remove = false;
    bool tty = false;
    bool open_stdin = false;

    /// Entrypoint and command, as a start runs them.
    std::vector<std::string> argv() const;
    std::string_view label(std::string_view key) const noexcept;
};

/// One sandbox, as its engine keeps it. Outlives its end, so that the truth can be told.
struct Sandbox {
    std::uint32_t number = 0;  ///< from 1, in order of birth
    std::string id;            ///< 64 hex digits
    std::string name;          ///< by which it is found now
    SandboxConfig config;
    Status status = Status::created;
    std::string error;
    int exit_code = 0;
    bool oom_killed = false;
    bool is_gone = false;
    bool removal_failed = false;
    std::uint32_t starts = 0;
    Time created{};
    Time started{};   ///< only if `has_run`
    Time finished{};  ///< only if `has_ended`
    Time gone{};
    bool has_run = false;
    bool has_ended = false;
    std::uint32_t restarts = 0;  ///< by its restart policy, since the last start by hand
    Duration next_restart{};     ///< how long the policy waits before the next one
    bool stopped_by_hand = false;
    bool is_restarted_by_hand = false;  ///< its end is the first half of a restart
    int handler_code = 0;               ///< of the signal handler at work
    Callback timer;                     ///< its next change by itself: there is at most one
    Callback grace;                     ///< of a stop: KILL follows
};

}  // namespace drydock::sim
