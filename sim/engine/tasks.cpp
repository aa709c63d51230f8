#include "engine/guard.hpp"
#include "engine/programs.hpp"
#include "engine/signals.hpp"
#include "engine/task.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::sim {
namespace {

constexpr std::uint32_t first_pid = 1;

/// What its starter calls the job of which the process is, or empty.
std::string_view job_of(const TaskSpec& spec) {
    const std::string_view tag = spec.variable(job_variable);
    const std::string_view id = spec.variable(job_id_variable);
    return tag.empty() || id.empty() ? tag : id;
}

/// Whose default is to do nothing: CHLD, URG, WINCH.
bool is_ignored_by_default(int signal) {
    constexpr std::array<int, 3> ignored = {17, 23, 28};
    return std::find(ignored.begin(), ignored.end(), signal) != ignored.end();
}

}  // namespace

Tasks::Tasks(SandboxEngine& engine, Sandbox& sandbox, Files& files,
             std::vector<ProcessTruth>& truths)
    : engine_(engine), sandbox_(sandbox), files_(files), truths_(truths) {}

Task& Tasks::begin_first(TaskSpec spec, std::unique_ptr<Behaviour> behaviour,
                         std::function<void(int code)> on_end) {
    Task& task = *tasks_.emplace_back(
        std::make_unique<Task>(*this, std::move(spec), first_pid, 0, first_pid, sandbox_.started));
    task.behaviour_ = std::move(behaviour);
    task.on_end_ = std::move(on_end);
    if (task.behaviour_) {
        task.after({}, [&task] { task.behaviour_->begin(task); });
    }
    if (!task.spec().has_input) {
        input_end(task);
    }
    return task;
}

Task& Tasks::begin(TaskSpec spec, std::uint32_t parent, std::unique_ptr<Behaviour> behaviour,
                   std::function<void(int code)> on_end) {
    const auto pid = static_cast<std::uint32_t>(tasks_.size() + 1);
    const Task* const mother = find(parent);
    const bool leads = spec.leads_session || mother == nullptr;
    Task& task = *tasks_.emplace_back(std::make_unique<Task>(
        *this, std::move(spec), pid, parent, leads ? pid : mother->session(), world().now()));
    task.behaviour_ = std::move(behaviour);
    task.on_end_ = std::move(on_end);
    note_begin(task);
    task.after({}, [&task] {
        if (task.behaviour_) {
            task.behaviour_->begin(task);
        } else {
            task.exit(why_not_run(task.spec().argv, {}, true).exit_code);
        }
    });
    if (!task.spec().has_input) {
        input_end(task);
    }
    return task;
}

Task* Tasks::find(std::uint32_t pid) noexcept {
    const bool is_known = pid >= first_pid && pid <= tasks_.size();
    Task* const task = is_known ? tasks_[pid - first_pid].get() : nullptr;
    return task == nullptr || task->state() == Task::State::gone ? nullptr : task;
}

void Tasks::on_change(Task& task, std::function<void()> wake) {
    watchers_.emplace_back(&task, std::move(wake));
}

void Tasks::note_change() {
    for (const auto& [task, wake] : std::exchange(watchers_, {})) {
        if (task->is_alive()) {
            wake();
        }
    }
}

void Tasks::note_begin(Task& task) {
    note_change();
    ProcessTruth truth;
    truth.sandbox = sandbox_.number;
    truth.pid = task.pid();
    truth.parent = task.parent();
    truth.argv = task.spec().argv;
    truth.job = job_of(task.spec());
    const Task* const mother = find(task.parent());
    truth.begins_job =
        !truth.job.empty() && (mother == nullptr || job_of(mother->spec()) != truth.job);
    truth.begun = world().now();
    truths_.push_back(std::move(truth));
    task.truth_ = truths_.size();
}

void Tasks::note_bytes(const Task& task, std::uint64_t ProcessTruth::* count, std::size_t bytes) {
    if (task.truth_ != 0) {
        truths_[task.truth_ - 1].*count += bytes;
    }
}

void Tasks::note_input(const Task& task, std::string_view bytes) {
    const bool is_of_job = task.truth_ != 0 && !truths_[task.truth_ - 1].job.empty();
    if (is_of_job && !bytes.empty()) {
        truths_[task.truth_ - 1].in.emplace_back(bytes);
    }
}

StepIntervention Tasks::ask_at_step() const { return engine_.ask_at_step(sandbox_); }

void Tasks::note_end(const Task& task) {
    note_change();
    if (task.truth_ != 0) {
        ProcessTruth& truth = truths_[task.truth_ - 1];
        truth.has_ended = true;
        truth.ended = world().now();
        truth.exit_code = task.exit_code();
        truth.killed_by = task.killed_by_;
    }
    if (has_ended_) {
        return;
    }
    for (const auto& child : tasks_) {
        if (child->parent_ == task.pid() && child->state() != Task::State::gone) {
            child->parent_ = first_pid;  // which reaps nothing
            if (child->behaviour_) {
                child->after({},
                             [child = child.get()] { child->behaviour_->parent_ended(*child); });
            }
        }
    }
    tell_parent(*tasks_[task.pid() - first_pid]);
}

void Tasks::tell_parent(Task& child) {
    Task* const mother = find(child.parent());
    const bool reaps = mother != nullptr && mother->is_alive() && mother->behaviour_ != nullptr &&
                       mother->pid() != first_pid;
    if (!reaps) {
        return;
    }
    mother->after({}, [mother, &child] {
        mother->behaviour_->child_ended(*mother, child);
        child.state_ = Task::State::gone;
    });
}

void Tasks::kill(Task& task, int number, std::size_t by) {
    if (task.is_alive()) {
        task.killed_by_ = by;
        task.end(by_signal + number);
    }
}

void Tasks::signal(Task& task, int number, const Task* by) {
    if (!task.is_alive() || number == 0) {
        return;
    }
    if (task.pid() == first_pid) {
        engine_.signal_from_inside(sandbox_, number);
        return;
    }
    const std::size_t sender = by == nullptr ? 0 : by->truth_;
    if (number == kill_signal) {
        kill(task, number, sender);
    } else if (number == stop_signal) {
        task.state_ = Task::State::stopped;
    } else if (number == cont_signal) {
        task.state_ = Task::State::running;
        task.go_on();
    } else {
        task.after({}, [&task, number, sender] {
            const bool is_handled = task.behaviour_ && task.behaviour_->signal(task, number);
            if (!is_handled && !is_ignored_by_default(number)) {
                kill(task, number, sender);
            }
        });
    }
}

void Tasks::input(Task& task, std::string_view bytes) {
    if (task.is_alive() && task.behaviour_) {
        task.after({}, [this, &task, text = std::string(bytes)] {
            note_input(task, text);
            task.behaviour_->input(task, text);
        });
    }
}

void Tasks::input_end(Task& task) {
    if (task.is_alive() && task.behaviour_) {
        task.after({}, [&task] { task.behaviour_->input_end(task); });
    }
}

void Tasks::resize(Task& task, int rows, int columns) {
    if (task.is_alive() && task.behaviour_) {
        task.after({}, [&task, rows, columns] { task.behaviour_->resized(task, rows, columns); });
    }
}

void Tasks::go_on() {
    for (const auto& task : tasks_) {
        task->go_on();
    }
}

void Tasks::end_all(int first_code) {
    has_ended_ = true;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        tasks_[i]->on_end_ = i == 0 ? nullptr : std::move(tasks_[i]->on_end_);
        tasks_[i]->end(i == 0 ? first_code : by_signal + kill_signal);
    }
}

}  // namespace drydock::sim
