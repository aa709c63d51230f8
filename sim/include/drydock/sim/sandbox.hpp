#pragma once

#include <drydock/sim/callback.hpp>
#include <drydock/time.hpp>

#include <cstdint>
#include <memory>
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

/// `none` is what a create that names none gets; it is as good as `no`.
enum class RestartPolicy : std::uint8_t { none, no, always, unless_stopped, on_failure };

/// A host port as a create asks for it.
struct PortBinding {
    std::string port;  ///< "80/tcp"
    std::string host_ip;
    std::string host_port;
};

/// A place in the sandbox where something of the host is.
struct Mount {
    std::string type;         ///< "bind", "volume" or "tmpfs"
    std::string name;         ///< of a volume; empty if it is anonymous
    std::string source;       ///< of a bind
    std::string destination;  ///< absolute and plain
    std::string mode;
    std::string propagation;
    bool writable = true;
};

/// A program that is run in the sandbox again and again to see whether it is well.
struct HealthCheck {
    std::vector<std::string> argv;
    Duration interval{};
    Duration timeout{};
    Duration start_period{};
    std::int64_t retries = 0;
};

/// A port of a running sandbox: bound to one of the host's, or only exposed.
struct Port {
    std::uint16_t inner = 0;
    std::string protocol;
    std::string host_ip;      ///< empty: any
    std::uint16_t outer = 0;  ///< 0: not bound
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
    RestartPolicy restart_policy = RestartPolicy::none;
    std::uint32_t maximum_retries = 0;  ///< of on_failure; 0: no limit
    std::vector<Mount> mounts;          ///< sorted by destination
    std::vector<std::string> tmpfs;     ///< where HostConfig.Tmpfs has one; sorted
    std::optional<HealthCheck> health_check;
    std::string config_options;  ///< what is only shown, as a JSON object; empty: all default
    std::string host_options;
    bool has_no_image = false;  ///< and so no files
    bool publishes_all = false;
    bool has_environment = false;  ///< an empty list is not shown as no list
    bool has_port_bindings = false;
    bool has_read_only_root = false;
    bool auto_remove = false;
    bool tty = false;
    bool open_stdin = false;
    bool stdin_once = false;
    bool keeps_no_log = false;

    /// Entrypoint and command, as a start runs them.
    std::vector<std::string> argv() const;
    std::string_view label(std::string_view key) const noexcept;
    /// In the default network, where its ports are bound.
    bool is_bridged() const noexcept {
        return network_mode == "default" || network_mode == "bridge";
    }
};

class Files;
class Streams;
class Tasks;

/// One sandbox, as its engine keeps it. Outlives its end, so that the truth can be told.
struct Sandbox {
    std::uint32_t number = 0;  ///< from 1, in order of birth
    std::string id;            ///< 64 hex digits
    std::string name;          ///< by which it is found now
    std::string born_as;       ///< its first name
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
    bool is_connected_once = false;  ///< a start has come as far as its network
    bool has_ended = false;
    std::uint32_t restarts = 0;  ///< by its restart policy, since the last start by hand
    Duration next_restart{};     ///< how long the policy waits before the next one
    bool stopped_by_hand = false;
    bool is_restarted_by_hand = false;  ///< its end is the first half of a restart
    int handler_code = 0;               ///< what the exit that is under way will be
    std::vector<Port> ports;            ///< of its last start
    Callback timer;                     ///< its next change by itself: there is at most one
    Callback grace;                     ///< of a stop: KILL follows
    std::shared_ptr<Files> files;       ///< made when somebody first asks for them
    std::shared_ptr<Streams> streams;   ///< likewise
    std::shared_ptr<Tasks> tasks;       ///< of the run that is under way; likewise
};

/// A paused one too.
inline bool is_up(const Sandbox& sandbox) noexcept {
    return sandbox.status == Status::running || sandbox.status == Status::paused;
}

}  // namespace drydock::sim
