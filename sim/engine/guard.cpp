#include "engine/guard.hpp"

#include "engine/files.hpp"
#include "engine/signals.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::sim {
namespace {

constexpr Duration step_time = std::chrono::milliseconds(1);
constexpr Duration a_nap = std::chrono::milliseconds(100);
constexpr int no_file = 2;
constexpr int no_guard = 122;
constexpr std::size_t first_argument = 4;  // sh FILE VERB JOB ...

void kill_at_once(Task& guard, std::uint32_t child, faults::StepFault::Kind kind, bool* struck) {
    using Kind = faults::StepFault::Kind;
    Tasks& tasks = guard.tasks();
    Task* const job = child == 0 ? nullptr : tasks.find(child);
    const std::array<Task*, 2> all = {kind == Kind::kill_child ? nullptr : &guard,
                                      kind == Kind::kill_guard ? nullptr : job};
    for (Task* const task : all) {
        if (task != nullptr && task->is_alive()) {
            *struck = true;
            tasks.signal(*task, kill_signal);
        }
    }
}

}  // namespace

void Guard::begin(Task& self) {
    self_ = &self;
    if (!files().exists(guard_path)) {
        self.write_err("sh: can't open '" + std::string(guard_path) +
                       "': No such file or directory\n");
        return self.exit(no_file);
    }
    routine_ = run();
    routine_.begin();
}

Routine<> Guard::run() {
    verb_ = words() > 2 ? word(2) : "";
    job_ = words() > 3 ? word(3) : "";
    folder_ = std::string(guard_path.substr(0, guard_path.rfind('/'))) + "/" + job_;
    if (words() < first_argument) {
        co_await give_up("usage: guard VERB JOB ...");
    }
    const std::string obstacle = why_not();
    if (!obstacle.empty()) {
        co_await give_up(obstacle);
    }
    if (verb_ == "launch") {
        co_await launch();
    } else if (verb_ == "follow") {
        co_await follow();
    } else if (verb_ == "kill") {
        co_await kill_job();
    } else if (verb_ == "input") {
        co_await write_input();
    } else if (verb_ == "close-input") {
        co_await close_input();
    }
    const std::string unknown = "unknown verb: " + verb_;
    co_await give_up(unknown);
}

std::string Guard::why_not() const {
    const std::string root = folder_.substr(0, folder_.rfind('/'));
    const bool is_mounted = files().is_on_mount(root) || files().is_on_mount(folder_);
    return is_mounted ? root + " is on a mount" : "";
}

Guard::End Guard::give_up(std::string_view why) {
    if (verb_ != "launch") {
        return end("broken " + std::string(why));
    }
    self_->write_err("guard: " + std::string(why) + "\n");
    return exit(no_guard);
}

Guard::End Guard::end(std::string_view text) {
    self_->write_out("end " + std::string(text) + "\n");
    return exit(0);
}

void Guard::take_naps(std::coroutine_handle<> rest, int most) {
    const Time since = self_->tasks().world().now();
    wake_after(most, rest, since);
    if (most == 1) {
        return;
    }
    self_->tasks().on_change(*self_, [this, rest, since, sleep = sleeps_] {
        if (sleep == sleeps_) {
            const Duration slept = self_->tasks().world().now() - since;
            wake_after(static_cast<int>(slept / a_nap) + 1, rest, since);
        }
    });
}

/// At the end of that many naps, unless something changes before.
void Guard::wake_after(int naps, std::coroutine_handle<> rest, Time since) {
    const Duration left = since + naps * a_nap - self_->tasks().world().now();
    self_->after(left, [this, naps, rest, sleep = ++sleeps_] {
        if (sleep == sleeps_) {
            ++sleeps_;
            naps_ = naps;
            rest.resume();
        }
    });
}

void Guard::take_step(std::coroutine_handle<> rest, bool may_be_struck) {
    StepIntervention chosen;
    if (may_be_struck) {
        chosen = self_->tasks().ask_at_step();
    }
    const Duration later = chosen.fault == nullptr ? Duration::zero() : strike(chosen);
    self_->after(step_time + later, [this, rest] {
        Tasks& tasks = self_->tasks();
        rest.resume();
        if (!polls_) {
            tasks.note_change();
        }
    });
}

/// How much later the step is taken.
Duration Guard::strike(const StepIntervention& chosen) {
    const faults::StepFault fault = *chosen.fault;
    if (fault.kind == faults::StepFault::Kind::slow) {
        *chosen.struck = true;
        return fault.by;
    }
    if (fault.by == Duration::zero()) {
        kill_at_once(*self_, child_, fault.kind, chosen.struck);
        return {};
    }
    Tasks& tasks = self_->tasks();
    tasks.world().call_after(fault.by,
                             [this, fault, struck = chosen.struck, there = tasks.weak_from_this()] {
                                 const auto still_there = there.lock();
                                 if (still_there && still_there->faults_are_on()) {
                                     kill_at_once(*self_, child_, fault.kind, struck);
                                 }
                             });
    return {};
}

/// A job that signals its own group must not lose its exit code by that.
bool Guard::signal(Task&, int number) {
    constexpr std::array<int, 7> trapped = {1, 2, 3, 10, 12, 14, 15};
    return traps_ && std::find(trapped.begin(), trapped.end(), number) != trapped.end();
}

void Guard::child_ended(Task&, const Task& child) {
    if (child.pid() != child_) {
        return;
    }
    child_code_ = child.exit_code();
    if (const auto rest = std::exchange(waiting_, nullptr)) {
        rest.resume();
    }
}

}  // namespace drydock::sim
