#include "engine/shell.hpp"
#include "engine/signals.hpp"

#include <algorithm>

namespace drydock::sim {

void Shell::begin(Task& self) {
    if (only_.empty()) {
        frames_.push_back({.list = &script_});
    } else {
        perform(self, only_);
    }
    run(self);
}

void Shell::run(Task& self) {
    while (wait_ == Wait::none && self.is_alive()) {
        if (frames_.empty()) {
            ran_out(self);
            return;
        }
        Frame& frame = frames_.back();
        if (frame.at < frame.list->size()) {
            step(self, (*frame.list)[frame.at++]);
        } else if (!frame.is_loop || !begin_next_round(frame)) {
            frames_.pop_back();
        }
    }
}

void Shell::ran_out(Task& self) {
    const Duration ran = self.tasks().world().now() - self.begun();
    self.after(std::max(a_moment - ran, Duration::zero()), [this, &self] { self.exit(status_); });
}

void Shell::add(std::vector<Statement> statements) {
    script_ = std::move(statements);
    frames_.push_back({.list = &script_});
}

void Shell::step(Task& self, const Statement& statement) {
    const bool is_run = statement.run_if == Statement::RunIf::always ||
                        (statement.run_if == Statement::RunIf::success) == (status_ == 0);
    if (!is_run) {
        return;
    }
    switch (statement.kind) {
        case Statement::Kind::command: perform(self, expanded(self, statement.text)); break;
        case Statement::Kind::background:
            last_child_ = spawn(self, expanded(self, statement.text));
            break;
        case Statement::Kind::forever:
            frames_.push_back({.list = &statement.body, .is_loop = true, .waits = waits_});
            break;
        case Statement::Kind::for_each: {
            auto words = expanded(self, statement.text);
            Frame frame{.list = &statement.body, .at = statement.body.size(), .is_loop = true};
            if (words.size() > 2) {  // NAME in VALUE...
                frame.name = words[0];
                frame.values.assign(words.rbegin(), words.rend() - 2);
            }
            frames_.push_back(std::move(frame));
            break;
        }
    }
}

// A loop without end in which nothing waits would never give the world its turn back.
bool Shell::begin_next_round(Frame& frame) {
    frame.at = 0;
    if (frame.name.empty()) {
        const bool spins = frame.waits == waits_;
        frame.waits = waits_;
        wait_ = spins ? Wait::time : wait_;
        return !frame.list->empty();
    }
    if (frame.values.empty()) {
        return false;
    }
    set(frame.name, std::move(frame.values.back()));
    frame.values.pop_back();
    return true;
}

std::string Shell::value_of(const Task& self, std::string_view name) const {
    if (name == "?") {
        return std::to_string(status_);
    }
    if (name == "$" || name == "!") {
        return std::to_string(name == "$" ? self.pid() : last_child_);
    }
    for (const auto& [known, value] : variables_) {
        if (known == name) {
            return value;
        }
    }
    return std::string(self.spec().variable(name));
}

void Shell::set(std::string_view name, std::string value) {
    std::erase_if(variables_, [&](const auto& held) { return held.first == name; });
    variables_.emplace_back(name, std::move(value));
}

std::vector<std::string> Shell::expanded(const Task& self, std::string_view text) const {
    return words_of(text, [&](std::string_view name) { return value_of(self, name); });
}

void Shell::pause_for(Task& self, std::optional<Duration> time) {
    wait_ = Wait::time;
    ++waits_;
    if (time) {
        self.after(*time, [this, &self] { resume(self); });
    }
}

void Shell::resume(Task& self) {
    wait_ = Wait::none;
    run(self);
}

void Shell::input(Task& self, std::string_view bytes) {
    if (wait_ == Wait::input) {
        self.write_out(bytes);
    } else {
        unread_input_.append(bytes);
    }
}

void Shell::input_end(Task& self) {
    is_input_over_ = true;
    if (wait_ == Wait::input) {
        resume(self);
    }
}

bool Shell::signal(Task& self, int number) {
    const auto at = std::find_if(traps_.begin(), traps_.end(),
                                 [number](const Trap& trap) { return trap.signal == number; });
    if (at == traps_.end()) {
        return false;
    }
    self.after(handler_time, [this, &self, statements = at->statements] {
        for (const Statement& statement : statements) {
            if (self.is_alive()) {
                step(self, statement);
            }
        }
    });
    return true;
}

void Shell::child_ended(Task& self, const Task& child) {
    const auto& all = self.tasks().all();
    const bool has_more = std::any_of(all.begin(), all.end(), [&](const auto& other) {
        return other->parent() == self.pid() && other->is_alive();
    });
    const bool is_it = foreground_ == 0 ? !has_more : foreground_ == child.pid();
    if (wait_ != Wait::children || !is_it) {
        return;
    }
    status_ = foreground_ == 0 ? 0 : child.exit_code();
    foreground_ = 0;
    resume(self);
}

}  // namespace drydock::sim
