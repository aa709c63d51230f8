#pragma once

#include <drydock/sim/engine.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::sim {

class Task;
class Tasks;

/// How long a program takes that has nothing to do.
inline constexpr Duration a_moment = std::chrono::milliseconds(5);

/// What a task writes to: a pipe, a file, a terminal.
class Outlet {
public:
    virtual ~Outlet() = default;
    virtual void write(std::string_view bytes) = 0;
};

/// What a task does: the model of a program. Acts through its task, at `begin` and whenever it is
/// called; it waits by `Task::after`, and does nothing more once it has called `Task::exit`. Never
/// called while its task is stopped, its sandbox paused, or after its end.
class Behaviour {
public:
    virtual ~Behaviour() = default;
    virtual void begin(Task& self) = 0;
    /// Bytes on its standard input, and its end; one without input has its end at once.
    virtual void input(Task&, std::string_view /*bytes*/) {}
    virtual void input_end(Task&) {}
    /// Its terminal has another size now.
    virtual void resized(Task&, int /*rows*/, int /*columns*/) {}
    /// False if it has no handler for this signal, so that the default holds. Not asked for KILL,
    /// STOP and CONT.
    virtual bool signal(Task&, int /*number*/) { return false; }
    /// The child is a zombie, and gone once this returns.
    virtual void child_ended(Task& /*self*/, const Task& /*child*/) {}
    /// The process that began it has ended.
    virtual void parent_ended(Task& /*self*/) {}
};

struct TaskSpec {
    std::vector<std::string> argv;
    std::vector<std::string> environment;  ///< "NAME=value", all of it
    std::string folder = "/";
    std::string user{};
    std::shared_ptr<Outlet> out{};  ///< null: /dev/null
    std::shared_ptr<Outlet> err{};
    bool has_input = false;  ///< else it is /dev/null
    bool has_terminal = false;
    bool leads_session = false;

    std::string_view variable(std::string_view name) const noexcept;
};

/// One process in a sandbox. An object of its table; dies with the sandbox's run.
class Task {
public:
    enum class State : std::uint8_t { running, stopped, zombie, gone };

    Task(Tasks& tasks, TaskSpec spec, std::uint32_t pid, std::uint32_t parent,
         std::uint32_t session, Time begun);
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    // what others see of it
    std::uint32_t pid() const noexcept { return pid_; }
    std::uint32_t parent() const noexcept { return parent_; }  ///< 0: it came with an exec
    std::uint32_t session() const noexcept { return session_; }
    Time begun() const noexcept { return begun_; }
    State state() const noexcept { return state_; }
    bool is_alive() const noexcept { return state_ == State::running || state_ == State::stopped; }
    int exit_code() const noexcept { return exit_code_; }  ///< 128 + N by signal N
    const TaskSpec& spec() const noexcept { return spec_; }

    // what its behaviour does
    void write_out(std::string_view bytes);
    void write_err(std::string_view bytes);
    /// Takes the code's low eight bits, as the kernel does.
    void exit(int code);
    /// Calls `step` so much later if it is alive then, or as soon as it goes on after a stop.
    void after(Duration delay, std::function<void()> step);
    /// The same process goes on with the program that this argv names, as after exec(2).
    void become(std::vector<std::string> argv);
    /// A child, which runs the program that its argv names; with no such program it ends with 127.
    Task& spawn(TaskSpec child);
    Tasks& tasks() noexcept { return tasks_; }

private:
    friend class Tasks;

    bool is_held() const noexcept;
    void end(int code);
    void go_on();

    Tasks& tasks_;
    TaskSpec spec_;
    std::uint32_t pid_;
    std::uint32_t parent_;
    std::uint32_t session_;
    Time begun_;
    State state_ = State::running;
    int exit_code_ = 0;
    std::size_t truth_ = 0;  ///< its place among the truths, from 1; 0: it has none
    std::size_t killed_by_ = 0;
    std::unique_ptr<Behaviour> behaviour_;
    std::unique_ptr<Behaviour> replaced_;  ///< by `become`, which it may have called
    std::function<void(int code)> on_end_;
    std::vector<Callback> timers_;
    std::vector<std::function<void()>> held_;  ///< steps that came due while it was stopped
};

/// The processes of one run of a sandbox. The first is the sandbox's own command, with pid 1.
class Tasks : public std::enable_shared_from_this<Tasks> {
public:
    Tasks(SandboxEngine& engine, Sandbox& sandbox, Files& files, std::vector<ProcessTruth>& truths);

    /// A new process; `on_end` is told its exit code when it has ended. Its program begins at once.
    Task& begin(TaskSpec spec, std::uint32_t parent, std::unique_ptr<Behaviour> behaviour,
                std::function<void(int code)> on_end = {});
    /// Pid 1, before any other. Without a behaviour the engine alone knows what it does.
    Task& begin_first(TaskSpec spec, std::unique_ptr<Behaviour> behaviour,
                      std::function<void(int code)> on_end);

    /// In order of their beginning; also zombies and those that are gone.
    const std::vector<std::unique_ptr<Task>>& all() const noexcept { return tasks_; }
    /// Null if there is none, or no more.
    Task* find(std::uint32_t pid) noexcept;
    /// As kill(2), from inside: pid 1 hears only what it handles. `by` is null for what strikes
    /// from nowhere.
    void signal(Task& task, int number, const Task* by = nullptr);
    void input(Task& task, std::string_view bytes);
    void input_end(Task& task);
    void resize(Task& task, int rows, int columns);

    /// Calls `wake` once, if the task is alive then, when a task begins, ends, or changes a file
    /// that others look at.
    void on_change(Task& task, std::function<void()> wake);
    void note_change();

    /// The sandbox is paused no more.
    void go_on();
    /// The sandbox's run has ended, and so have all: by KILL, but for the first.
    void end_all(int first_code);

    Sandbox& sandbox() noexcept { return sandbox_; }
    Files& files() noexcept { return files_; }
    World& world() const noexcept { return engine_.world(); }
    /// A guard is about to take a step: what becomes of it.
    StepIntervention ask_at_step() const;
    bool faults_are_on() const noexcept { return engine_.faults_are_on(); }
    /// What its clock shows.
    WallTime wall_now() const noexcept { return engine_.wall_at(world().now()); }

private:
    friend class Task;

    static void kill(Task& task, int number, std::size_t by);
    void note_begin(Task& task);
    void note_end(const Task& task);
    void note_bytes(const Task& task, std::uint64_t ProcessTruth::* count, std::size_t bytes);
    void note_input(const Task& task, std::string_view bytes);
    void tell_parent(Task& child);

    SandboxEngine& engine_;
    Sandbox& sandbox_;
    Files& files_;
    std::vector<ProcessTruth>& truths_;
    std::vector<std::unique_ptr<Task>> tasks_;
    std::vector<std::pair<Task*, std::function<void()>>> watchers_;
    bool has_ended_ = false;
};

}  // namespace drydock::sim
