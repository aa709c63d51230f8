// What the programs and builtins do that scripts are made of.
#include "engine/files.hpp"
#include "engine/programs.hpp"
#include "engine/shell.hpp"
#include "engine/signals.hpp"

#include <algorithm>
#include <array>

namespace drydock::sim {
namespace {

/// The N times X of `head -c N /dev/zero | tr '\0' X`.
std::optional<std::string> zeros_translated(const std::vector<std::string>& words) {
    const bool is_that = words.size() == 8 && words[0] == "head" && words[1] == "-c" &&
                         words[3] == "/dev/zero" && words[4] == "|" && words[5] == "tr";
    const auto count = is_that ? plain_number(words[2]) : std::nullopt;
    if (!count || words[7].size() != 1) {
        return std::nullopt;
    }
    return std::string(static_cast<std::size_t>(*count), words[7][0]);
}

/// The words without a redirection to standard error; true if there was one.
bool take_error_redirection(std::vector<std::string>& words) {
    return std::erase_if(
               words, [](const std::string& word) { return word == ">&2" || word == "1>&2"; }) > 0;
}

/// What a shell would do with such a word is not modelled.
bool is_redirection(const std::string& word) {
    constexpr std::array<std::string_view, 6> known = {">", ">>", "<", "|", "2>&1", "2>"};
    return std::find(known.begin(), known.end(), word) != known.end();
}

/// `rm -r`: with all that a folder holds.
FileError remove_all(Files& files, const std::string& path, WallTime now) {
    std::vector<std::string> names;
    if (files.list(path, names) == FileError::none) {
        for (const std::string& name : names) {
            const FileError error = remove_all(files, path + "/" + name, now);
            if (error != FileError::none) {
                return error;
            }
        }
    }
    return files.remove(path, now);
}

}  // namespace

void Shell::print(Task& self, const std::string& text) const {
    if (prints_to_err_) {
        self.write_err(text);
    } else {
        self.write_out(text);
    }
}

void Shell::perform(Task& self, std::vector<std::string> words) {
    prints_to_err_ = take_error_redirection(words);
    const bool replaces = !words.empty() && words[0] == "exec";
    if (replaces) {
        words.erase(words.begin());
        frames_.clear();
    }
    if (words.empty() || perform_builtin(self, words) || perform_program(self, words)) {
        return;
    }
    if (replaces && name_of_program(words[0]) == "drydock-job") {
        pause_for(self, std::nullopt);
        self.become(std::move(words));
        return;
    }
    const Unrunnable unrunnable = why_not_run(words, {}, true);
    status_ = unrunnable.why.empty() ? not_found : unrunnable.exit_code;
    std::string why = status_ == not_found ? "not found" : "Permission denied";
    if (unrunnable.why.empty()) {
        why = "the simulated shell does not know how to do this";
    }
    self.write_err("sh: " + words[0] + ": " + why + "\n");
}

bool Shell::perform_builtin(Task& self, const std::vector<std::string>& words) {
    const std::string& command = words[0];
    const std::string_view argument = words.size() > 1 ? std::string_view(words[1]) : "";
    const std::size_t equals = command.find('=');
    if (command == "exit") {
        self.exit(plain_number(argument).value_or(status_));
    } else if (command == "trap") {
        trap(words);
    } else if (command == "kill") {
        kill(self, words);
    } else if (command == "wait") {
        const auto& all = self.tasks().all();
        const bool has_some = std::any_of(all.begin(), all.end(), [&](const auto& other) {
            return other->parent() == self.pid() && other->is_alive();
        });
        wait_ = has_some ? Wait::children : Wait::none;
        waits_ += has_some ? 1 : 0;
    } else if (equals != std::string::npos && equals > 0 && words.size() == 1) {
        set(command.substr(0, equals), command.substr(equals + 1));
    } else {
        return false;
    }
    return true;
}

bool Shell::perform_program(Task& self, const std::vector<std::string>& words) {
    const std::string_view program = name_of_program(words[0]);
    const std::string_view argument = words.size() > 1 ? std::string_view(words[1]) : "";
    status_ = 0;
    if (const auto zeros = zeros_translated(words)) {
        print(self, *zeros);
    } else if (std::any_of(words.begin(), words.end(), is_redirection)) {
        return false;
    } else if (program == "echo") {
        print(self, echoed(words));
    } else if (program == "printf") {
        print(self, formatted(words));
    } else if (program == "sleep") {
        pause_for(self, sleep_time(argument));
    } else if (program == "cat") {
        cat(self, words);
    } else if (program == "pwd") {
        print(self, self.spec().folder + "\n");
    } else if (program == "id" && argument == "-u") {
        const bool is_root = self.spec().user.empty() || self.spec().user == "root";
        print(self, (is_root ? "0" : self.spec().user) + "\n");
    } else if (program == "env") {
        for (const std::string& entry : self.spec().environment) {
            print(self, entry + "\n");
        }
    } else if (program == "touch") {
        const FileError error = self.tasks().files().append(argument, {}, self.tasks().wall_now());
        status_ = error == FileError::none ? 0 : 1;
    } else if (program == "true" || program == "false") {
        status_ = program == "true" ? 0 : 1;
    } else if (program == "ls" && words.size() == 2) {
        ls(self, words[1]);
    } else if (program == "rm") {
        rm(self, words);
    } else if (program == "tail" && argument == "/dev/zero") {
        self.tasks().signal(self, kill_signal);  // it has no end: out of memory
    } else if (program == "tail" && argument == "-f") {
        pause_for(self, std::nullopt);
    } else if (program == "sh" && argument == "-c" && words.size() > 2) {
        foreground_ = spawn(self, words);
        wait_ = Wait::children;
        ++waits_;
    } else {
        return false;
    }
    return true;
}

void Shell::ls(Task& self, const std::string& path) {
    std::vector<std::string> names;
    FileError error = self.tasks().files().list(path, names);
    if (error == FileError::not_a_folder) {
        names = {path};
        error = FileError::none;
    }
    std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
    for (const std::string& name : names) {
        print(self, name + "\n");
    }
    if (error != FileError::none) {
        status_ = 1;
        self.write_err("ls: " + path + ": " + std::string(text(error)) + "\n");
    }
}

void Shell::rm(Task& self, const std::vector<std::string>& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].starts_with('-')) {
            continue;
        }
        Tasks& tasks = self.tasks();
        const FileError error = remove_all(tasks.files(), words[i], tasks.wall_now());
        tasks.note_change();
        if (error != FileError::none) {
            status_ = 1;
            self.write_err("rm: can't remove '" + words[i] + "': " + std::string(text(error)) +
                           "\n");
        }
    }
}

void Shell::trap(const std::vector<std::string>& words) {
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (const auto signal = signal_of(words[i])) {
            std::erase_if(traps_, [&](const Trap& held) { return held.signal == *signal; });
            traps_.push_back({*signal, parse_script(words[1])});
        }
    }
}

void Shell::kill(Task& self, const std::vector<std::string>& words) {
    int signal = term_signal;
    status_ = 0;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].starts_with('-')) {
            signal = signal_of(std::string_view(words[i]).substr(1)).value_or(term_signal);
            continue;
        }
        const auto pid = plain_number(words[i]);
        Task* const task = pid ? self.tasks().find(static_cast<std::uint32_t>(*pid)) : nullptr;
        if (task == nullptr) {
            status_ = 1;
            const std::string speaker = only_.empty() ? "sh" : "kill";
            self.write_err(speaker + ": can't kill pid " + words[i] + ": No such process\n");
        } else {
            self.tasks().signal(*task, signal, &self);
        }
    }
}

void Shell::cat(Task& self, const std::vector<std::string>& words) {
    if (words.size() > 1) {
        std::string_view bytes;
        const FileError error = self.tasks().files().read(words[1], 0, bytes);
        status_ = error == FileError::none ? 0 : 1;
        if (status_ == 0) {
            print(self, std::string(bytes));
        } else {
            self.write_err("cat: can't open '" + words[1] + "': " + std::string(text(error)) +
                           "\n");
        }
        return;
    }
    self.write_out(std::exchange(unread_input_, {}));
    wait_ = is_input_over_ ? Wait::none : Wait::input;
    ++waits_;
}

std::uint32_t Shell::spawn(Task& self, std::vector<std::string> words) const {
    TaskSpec child = self.spec();
    child.argv = std::move(words);
    child.has_input = false;
    for (const auto& [name, value] : variables_) {
        child.environment.push_back(name + "=" + value);
    }
    return self.spawn(std::move(child)).pid();
}

}  // namespace drydock::sim
