#include "engine/input_shell.hpp"

#include <utility>

namespace drydock::sim {
namespace {

constexpr std::string_view greeting =
    "\n\nBusyBox v1.35.0 (Debian 1:1.35.0-4+deb12u1+b1) built-in shell (ash)\n"
    "Enter 'help' for a list of built-in commands.\n\n";
constexpr std::string_view where_is_the_cursor = "\x1b[6n";
constexpr std::string_view clear_the_rest = "\x1b[J";

}  // namespace

std::string InputShell::prompt(const Task& self) const {
    const bool is_root = self.spec().user.empty() || self.spec().user == "root";
    return self.spec().folder + (is_root ? " # " : " $ ");
}

void InputShell::begin(Task& self) {
    if (self.spec().has_terminal) {
        self.write_out(greeting);
    }
    ran_out(self);
}

void InputShell::input(Task& self, std::string_view bytes) {
    if (!is_idle()) {
        return Shell::input(self, bytes);  // for the program that it runs
    }
    if (self.spec().has_terminal) {
        self.write_out(bytes);
    }
    unread_.append(bytes);
    run_next_line(self);
}

void InputShell::input_end(Task& self) {
    if (self.spec().has_terminal) {
        return;
    }
    is_over_ = true;
    const bool was_idle = is_idle();
    Shell::input_end(self);
    if (was_idle) {
        run_next_line(self);
    }
}

void InputShell::run_next_line(Task& self) {
    const std::size_t end = unread_.find('\n');
    const bool is_last = end == std::string::npos && is_over_;
    if (end == std::string::npos && !is_last) {
        return;
    }
    if (is_last && unread_.empty()) {
        return Shell::ran_out(self);
    }
    const std::string line = unread_.substr(0, end);
    unread_.erase(0, is_last ? std::string::npos : end + 1);
    add(parse_script(line));
    run(self);
}

void InputShell::ran_out(Task& self) {
    if (self.spec().has_terminal) {
        self.write_out(prompt(self).append(where_is_the_cursor));
    }
    self.after({}, [this, &self] {
        if (is_idle()) {
            run_next_line(self);
        }
    });
}

void InputShell::resized(Task& self, int rows, int columns) {
    rows_ = rows;
    columns_ = columns;
    if (is_idle()) {
        self.write_out("\r" + prompt(self).append(clear_the_rest));
    }
}

bool InputShell::perform_program(Task& self, const std::vector<std::string>& words) {
    const bool asks_size = words.size() == 2 && words[0] == "stty" && words[1] == "size";
    if (!asks_size) {
        return Shell::perform_program(self, words);
    }
    self.write_out(std::to_string(rows_) + " " + std::to_string(columns_) + "\n");
    return true;
}

}  // namespace drydock::sim
