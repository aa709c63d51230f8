#include "engine/task.hpp"

#include "engine/programs.hpp"

#include <algorithm>
#include <utility>

namespace drydock::sim {

std::string_view TaskSpec::variable(std::string_view name) const noexcept {
    std::string_view value;
    for (const std::string& entry : environment) {  // the last one counts
        const bool is_it =
            entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
        if (is_it) {
            value = std::string_view(entry).substr(name.size() + 1);
        }
    }
    return value;
}

Task::Task(Tasks& tasks, TaskSpec spec, std::uint32_t pid, std::uint32_t parent,
           std::uint32_t session, Time begun)
    : tasks_(tasks),
      spec_(std::move(spec)),
      pid_(pid),
      parent_(parent),
      session_(session),
      begun_(begun) {}

void Task::write_out(std::string_view bytes) {
    if (is_alive() && spec_.out) {
        tasks_.note_bytes(*this, &ProcessTruth::out, bytes.size());
        spec_.out->write(bytes);
    }
}

void Task::write_err(std::string_view bytes) {
    if (is_alive() && spec_.err) {
        tasks_.note_bytes(*this, &ProcessTruth::err, bytes.size());
        spec_.err->write(bytes);
    }
}

void Task::exit(int code) { end(code & 0xff); }

bool Task::is_held() const noexcept {
    return state_ == State::stopped || tasks_.sandbox().status == Status::paused;
}

void Task::after(Duration delay, std::function<void()> step) {
    std::erase_if(timers_, [](const Callback& timer) { return !timer.pending(); });
    timers_.push_back(tasks_.world().call_after(
        delay, [tasks = tasks_.weak_from_this(), this, step = std::move(step)]() mutable {
            const auto still_there = tasks.lock();
            if (!still_there || !is_alive()) {
                return;
            }
            if (is_held()) {
                held_.push_back(std::move(step));
            } else {
                step();
            }
        }));
}

void Task::go_on() {
    for (auto& step : std::exchange(held_, {})) {
        after({}, std::move(step));
    }
}

void Task::become(std::vector<std::string> argv) {
    spec_.argv = std::move(argv);
    replaced_ = std::exchange(behaviour_, behaviour_of(spec_));
    after({}, [this] { behaviour_->begin(*this); });
}

Task& Task::spawn(TaskSpec child) {
    auto behaviour = behaviour_of(child);
    return tasks_.begin(std::move(child), pid_, std::move(behaviour));
}

// The behaviour stays, as it may be what calls this; what it waits for does not.
void Task::end(int code) {
    if (!is_alive()) {
        return;
    }
    for (Callback& timer : timers_) {
        timer.cancel();
    }
    timers_.clear();
    held_.clear();
    exit_code_ = code;
    state_ = parent_ == 0 ? State::gone : State::zombie;
    tasks_.note_end(*this);
    if (const auto on_end = std::exchange(on_end_, nullptr)) {
        on_end(code);
    }
}

}  // namespace drydock::sim
