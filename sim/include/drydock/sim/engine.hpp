#pragma once

#include <drydock/faults/choice.hpp>
#include <drydock/sim/backend_model.hpp>
#include <drydock/sim/event_log.hpp>
#include <drydock/sim/personality.hpp>
#include <drydock/sim/sandbox.hpp>
#include <drydock/sim/wall.hpp>
#include <drydock/sim/world.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

/// How the engine decided a call. Faces turn it into a status and a text.
enum class Verdict : std::uint8_t {
    done,
    unchanged,  ///< start: it was running already; stop: it was not running
    no_such_sandbox,
    name_taken,      ///< `id` is the holder's
    state_changing,  ///< refused until a change of state is over
    removal_in_progress,
    marked_for_removal,  ///< start of one that is dead or under removal
    still_running,       ///< remove without force
    still_paused,
    still_restarting,
    is_paused,  ///< start
    not_running,
    already_paused,
    not_paused,
    is_restarting,
    same_name,       ///< rename to its own name
    cannot_start,    ///< `text` says why: the program cannot be run
    cannot_set_up,   ///< start: `text` says why: something around the program
    no_network,      ///< start: `text` says what is not there
    network_down,    ///< start: `text` says whose network is not up
    removal_failed,  ///< `text` says why; it is dead now
};

struct Outcome {
    Verdict verdict = Verdict::done;
    bool applied = false;              ///< a create's or start's effect took place
    std::string id{};                  ///< the subject's, where there is one
    const Sandbox* sandbox = nullptr;  ///< the subject; lives as long as the engine
    std::string text{};
};

/// What a wait waits for.
enum class WaitFor : std::uint8_t { not_running, next_exit, removed };

/// The calls that a trait can set in with.
enum class Call : std::uint8_t { create, start, inspect, list, remove, exec };

class Execs;

/// Typed sandboxes in virtual time. Knows no protocol, never fails by itself, does what
/// `Personality` says, and traits on top. Must live as long as its world runs.
class SandboxEngine {
public:
    using Done = std::function<void(Outcome)>;
    using Witness = std::function<void()>;

    SandboxEngine(World& world, Personality personality);
    SandboxEngine(const SandboxEngine&) = delete;
    SandboxEngine& operator=(const SandboxEngine&) = delete;
    ~SandboxEngine();

    /// An empty name means a generated one. `done` at once, or when the sandbox is there.
    void create(std::string name, SandboxConfig config, const Done& done);
    /// A create that fails after it took the name: leaves a sandbox in error.
    Outcome create_broken(std::string name, SandboxConfig config);
    Outcome start(std::string_view reference);
    Outcome inspect(std::string_view reference);
    /// Newest first; what lists show now, which may lag behind the truth.
    std::vector<const Sandbox*> list();
    /// `accepted` is called if the removal begins, `done` when the answer is due: at once, or when
    /// the sandbox is gone.
    void remove(std::string_view reference, bool force, const Witness& accepted, Done done);

    /// TERM or the sandbox's own stop signal, and KILL after that many seconds (by default its own
    /// stop timeout, or 10; below 0: never). `done` when it has ended.
    void stop(std::string_view reference, std::optional<std::int64_t> seconds,
              const Witness& accepted, Done done);
    /// The signal is sent when this returns; KILL has worked then.
    Outcome kill(std::string_view reference, int signal);
    Outcome pause(std::string_view reference);
    Outcome unpause(std::string_view reference);
    /// A stop, if it runs, and a start.
    void restart(std::string_view reference, std::optional<std::int64_t> seconds,
                 const Witness& accepted, Done done);
    Outcome rename(std::string_view reference, std::string name);
    /// `done` when it has come to that; the exit code is the sandbox's then. A removal ends every
    /// wait.
    void wait(std::string_view reference, WaitFor what, Done done);

    /// By its number, also one that is gone.
    const Sandbox& sandbox(std::uint32_t number) const noexcept { return *sandboxes_[number - 1]; }
    /// The processes of a sandbox that runs, by its number.
    Tasks& tasks(std::uint32_t number);
    /// The standard streams of its own program, over all its runs.
    Streams& streams(const Sandbox& sandbox);
    /// Input for that program; what comes before it runs waits for it.
    void input(const Sandbox& sandbox, std::string_view bytes);
    void input_end(const Sandbox& sandbox);
    Execs& execs() const noexcept { return *execs_; }
    /// A process in the sandbox sends its process 1 a signal, and so no KILL.
    void signal_from_inside(Sandbox& sandbox, int signal);
    std::span<const ProcessTruth> processes() const noexcept { return processes_; }

    /// User networks, by name; the engine's own are always there.
    void add_network(std::string name) { networks_.push_back(std::move(name)); }
    void remove_network(const std::string& name) { std::erase(networks_, name); }
    /// Takes over what an update asks for.
    void update(const Sandbox& sandbox, SandboxConfig config);
    /// The files of one that is not gone, else null. They stay over stop and start.
    Files* files(std::string_view reference);

    /// What clients are told of. A sandbox's own life is announced by the engine, all else by those
    /// who answer the calls. Actions and types are static text.
    const EventLog& events() const noexcept { return events_; }
    EventLog& events() noexcept { return events_; }
    void announce(const Sandbox& sandbox, std::string_view action, int value = 0);
    void announce(const Sandbox& sandbox, std::string_view action, EventDetails details);
    /// Of what is no sandbox.
    void announce_other(std::string_view type, std::string_view action, EventDetails details);

    /// Sets a trait in, for the call that comes next: it concerns the sandbox that the call names.
    /// `witness` is called when the trait changes an answer or a state, maybe more than once.
    void begin_trait(const faults::EngineChoice& choice, Call call, std::string_view reference,
                     Witness witness);
    void stop_faults();
    bool faults_are_on() const noexcept { return faults_are_on_; }
    /// Who is asked at each step of a guard; without one no guard is struck.
    void on_guard_step(StepHook hook) { step_hook_ = std::move(hook); }
    StepIntervention ask_at_step(const Sandbox& sandbox) const;

    /// By full id, full name, or unique beginning of the id. Not what is gone.
    const Sandbox* resolve(std::string_view reference) const;
    std::span<const SandboxTruth> truths() const noexcept { return truths_; }
    const SandboxTruth* truth(std::string_view id_or_name) const;
    const Personality& personality() const noexcept { return personality_; }
    World& world() const noexcept { return world_; }
    /// What the engine's own clock shows then.
    WallTime wall_at(Time at) const noexcept { return wall_start_ + at.time_since_epoch(); }
    /// For an engine that clients see in real time. Before anything is made.
    void set_wall_start(WallTime start) noexcept { wall_start_ = start; }

private:
    using Change = void (SandboxEngine::*)(Sandbox&);
    struct Trait;
    struct Waiter {
        std::uint32_t number = 0;
        WaitFor what{};
        Done done;
    };
    struct HeldName {
        std::string name;
        std::string holder;
        Time until{};
        Witness witness;
    };

    // birth
    const Sandbox* named(std::string_view name) const;
    std::optional<Outcome> why_name_not_free(std::string_view name);
    std::optional<Outcome> why_not_created(std::string_view name, const SandboxConfig& config);
    std::string generated_name();
    std::string next_id(std::string_view name, const SandboxConfig& config,
                        std::string_view salt) const;
    Sandbox& bear(std::string name, SandboxConfig config, Status status);
    Outcome begin_create(std::string name, SandboxConfig config);
    void finish_create(Sandbox& sandbox);
    // life
    Sandbox* find(std::string_view reference);
    std::optional<Verdict> why_not_started(const Sandbox& sandbox) const;
    void set_status(Sandbox& sandbox, Status status);
    Outcome start(Sandbox& sandbox);
    void finish_start(Sandbox& sandbox);
    void end_run(Sandbox& sandbox, int code);
    /// Empty, or why the sandbox cannot have the ports that it wants.
    std::string bind_ports(Sandbox& sandbox) const;
    struct Obstacle;
    std::optional<Obstacle> why_not_connected(const Sandbox& sandbox) const;
    std::optional<Obstacle> why_not_set_up(Sandbox& sandbox) const;
    Outcome fail_start(Sandbox& sandbox, Obstacle obstacle);
    bool bind_port(Port& port, const PortBinding& binding, const std::vector<Port>& own) const;
    void exit(Sandbox& sandbox, int code);
    void exit_by_program(Sandbox& sandbox);
    void exit_early(Sandbox& sandbox);
    void exit_by_oom(Sandbox& sandbox);
    void change_after(Sandbox& sandbox, Duration delay, Change change);
    void change_unless_stuck(Sandbox& sandbox, Change change);
    // stopping and waiting
    void halt(Sandbox& sandbox, std::optional<std::int64_t> seconds);
    void deliver(Sandbox& sandbox, int signal);
    void exit_by_handler(Sandbox& sandbox);
    void answer_waiters(const Sandbox& sandbox, bool is_gone);
    void finish_stop(const Sandbox& sandbox, const Outcome& outcome, const Done& done);
    void announce_network(const Sandbox& sandbox, std::string_view action);
    void send(Sandbox& sandbox, int signal);
    void kill_after(Sandbox& sandbox, Duration grace);
    void start_again(Sandbox& sandbox, const Done& done);
    // restart policy
    bool restarts_by_policy(const Sandbox& sandbox) const;
    void begin_restart_by_policy(Sandbox& sandbox);
    void finish_restart_by_policy(Sandbox& sandbox);
    void cancel_restart(Sandbox& sandbox);
    void restart_later(Sandbox& sandbox);
    void restart_by_itself(Sandbox& sandbox);
    // end
    std::optional<Verdict> why_not_removed(const Sandbox& sandbox, bool force) const;
    void begin_removal(Sandbox& sandbox, std::uint64_t reason);
    void finish_removal(Sandbox& sandbox);
    Files& files_of(Sandbox& sandbox) const;
    // processes
    void begin_task(Sandbox& sandbox);
    void end_tasks(Sandbox& sandbox, int code);
    void answer_removal(const Sandbox& sandbox, const Outcome& outcome);
    void free_name(const Sandbox& sandbox);
    // traits
    template <class Matches>
    bool strike(Matches matches);
    bool strike(faults::Trait kind, const Sandbox& sandbox);
    bool has(faults::Trait kind, const Sandbox& sandbox) const;
    bool is_acknowledged(Call call, std::string_view name, const Sandbox* sandbox);
    bool is_stuck(const Sandbox& sandbox, Status status);
    void begin_for(Trait& trait, Sandbox& sandbox);
    void restart_daemon(const Witness& witness);
    void expire(std::uint32_t number);
    void resume_stuck();
    void resume(Sandbox& sandbox);
    bool is_listed(const Sandbox& sandbox) const;
    void record(EventKind kind, const Sandbox& sandbox, std::uint64_t value);

    World& world_;
    Personality personality_;
    WallTime wall_start_ = simulated_start;
    std::vector<std::unique_ptr<Sandbox>> sandboxes_;
    std::vector<SandboxTruth> truths_;
    EventLog events_;
    std::vector<std::string> networks_;
    std::vector<ProcessTruth> processes_;
    std::unique_ptr<Execs> execs_;
    std::vector<std::pair<std::uint32_t, Done>> removals_;  ///< answers due when it is gone
    std::vector<Waiter> waiters_;
    std::vector<std::unique_ptr<Trait>> traits_;
    std::vector<std::pair<Sandbox*, Change>> stuck_;
    std::vector<HeldName> held_names_;
    std::vector<std::pair<std::string, std::string>> reserved_;  ///< names and ids of those to come
    std::uint32_t generated_names_ = 0;
    StepHook step_hook_;
    bool faults_are_on_ = true;
};

}  // namespace drydock::sim
