#include "engine/command.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace drydock::sim {
namespace {

/// How long a program takes that has nothing to do.
constexpr Duration a_moment = std::chrono::milliseconds(5);
constexpr int killed = 137;  // 128 + SIGKILL

constexpr std::array<std::string_view, 16> known = {
    "ash",   "bash", "cat", "echo",    "env", "false", "id",   "ls",
    "mkdir", "node", "pwd", "python3", "sh",  "sleep", "tail", "true",
};

constexpr std::array<std::string_view, 6> folders = {
    "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/",
};

constexpr std::array<std::string_view, 2> plain_files = {"/etc/group", "/etc/passwd"};

/// Of the recorded image.
constexpr std::array<std::string_view, 8> plain_folders = {"/bin",  "/dev", "/etc", "/proc",
                                                           "/root", "/sys", "/tmp", "/work"};

template <class Range>
bool holds(const Range& range, std::string_view text) {
    return std::find(range.begin(), range.end(), text) != range.end();
}

std::string_view without_folder(std::string_view path) {
    for (const std::string_view folder : folders) {
        if (path.starts_with(folder)) {
            return path.substr(folder.size());
        }
    }
    return path;
}

Command failing(int exit_code, std::string_view program, std::string_view why) {
    std::string error =
        "failed to create shim task: OCI runtime create failed: runc create failed: "
        "unable to start container process: exec: \"";
    error.append(program).append("\": ").append(why).append(": unknown");
    return {std::move(error), exit_code, std::nullopt};
}

/// The N of "exit N", or nothing.
std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = failed == std::errc{} && end == text.data() + text.size() && number >= 0;
    return is_whole ? std::optional(number) : std::nullopt;
}

/// "300" and "0.7" are seconds, "infinity" and whatever else is no time at all.
std::optional<Duration> seconds(std::string_view text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto whole = whole_number(text.substr(0, point));
    if (!whole) {
        return std::nullopt;
    }
    Duration time = std::chrono::seconds(*whole);
    Duration unit = std::chrono::milliseconds(100);
    for (const char digit : text.substr(std::min(point + 1, text.size()))) {
        time += unit * (digit - '0');
        unit /= 10;
    }
    return time;
}

bool take(std::string_view& text, std::string_view word) {
    const bool has = text.starts_with(word);
    if (has) {
        text.remove_prefix(word.size());
    }
    return has;
}

std::optional<int> trapped_signal(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, int>, 6> signals = {
        {{"HUP", 1}, {"INT", 2}, {"QUIT", 3}, {"USR1", 10}, {"USR2", 12}, {"TERM", 15}}};
    for (const auto& [word, number] : signals) {
        if (word == name) {
            return number;
        }
    }
    return std::nullopt;
}

/// The rest of "trap 'exit N' SIGNAL".
void read_trap(std::string_view text, Command& command) {
    const std::size_t quote = std::min(text.find('\''), text.size());
    const auto code = whole_number(text.substr(0, quote));
    const auto signal = trapped_signal(text.substr(std::min(quote + 2, text.size())));
    if (code && signal) {
        command.handlers.emplace_back(*signal, *code & 0xff);
    }
}

/// One statement of a script. False if nothing follows it.
bool read_statement(std::string_view text, Command& command) {
    if (take(text, "trap 'exit ")) {
        read_trap(text, command);
    } else if (take(text, "sleep ")) {
        const auto time = seconds(text);
        command.ends_after = time ? std::optional(*command.ends_after + *time) : std::nullopt;
    } else if (take(text, "sh -c 'kill -")) {
        constexpr int by_signal = 128;
        const auto signal = whole_number(text.substr(0, text.find(' ')));
        command.exit_code = by_signal + signal.value_or(0);
    } else if (take(text, "exit ")) {
        if (text != "$?") {
            command.exit_code = whole_number(text).value_or(0) & 0xff;
        }
        return false;
    } else if (text.starts_with("while ") || text.starts_with("tail -f")) {
        command.ends_after.reset();
    }
    return command.ends_after.has_value();
}

Command script(std::string_view text) {
    Command command{.error = {}, .exit_code = 0, .ends_after = Duration::zero()};
    for (bool goes_on = true; goes_on && !text.empty();) {
        const std::size_t end = std::min(text.find(';'), text.size());
        goes_on = read_statement(text.substr(0, end), command);
        text.remove_prefix(std::min(end + 1, text.size()));
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    }
    if (command.ends_after) {
        command.ends_after = std::max(*command.ends_after, a_moment);
    }
    return command;
}

bool is_known_user(std::string_view user) {
    const bool is_number = std::all_of(user.begin(), user.end(),
                                       [](char c) { return (c >= '0' && c <= '9') || c == ':'; });
    return is_number || user == "root" || user == "nobody";
}

}  // namespace

std::optional<int> Command::handled_exit(int signal) const noexcept {
    for (const auto& [handled, code] : handlers) {
        if (handled == signal) {
            return code;
        }
    }
    return std::nullopt;
}

Command command_of(const SandboxConfig& config) {
    const std::vector<std::string> argv = config.argv();
    if (argv.empty()) {
        return {};  // the image's own command: a service, which runs
    }
    if (!is_known_user(config.user)) {
        return {"unable to find user " + config.user + ": no matching entries in passwd file", 128,
                std::nullopt};
    }
    const std::string_view program = without_folder(argv[0]);
    if (config.has_no_image || !holds(known, program)) {
        if (holds(plain_files, program) || holds(plain_folders, program)) {
            return failing(126, argv[0], "permission denied");
        }
        return argv[0].find('/') == std::string::npos
                   ? failing(127, argv[0], "executable file not found in $PATH")
                   : failing(127, argv[0], "stat " + argv[0] + ": no such file or directory");
    }
    if ((program == "sh" || program == "bash" || program == "ash") && argv.size() > 2 &&
        argv[1] == "-c") {
        return script(argv[2]);
    }
    if (program == "tail" && argv.size() > 1 && argv[1] == "/dev/zero") {
        return {{}, killed, a_moment};  // it has no end, and wants more memory than there is
    }
    if (program == "sleep" || program == "tail") {
        return script(std::string(program) + " " + (argv.size() > 1 ? argv[1] : std::string()));
    }
    return {{}, program == "false" ? 1 : 0, a_moment};
}

bool is_file_of_image(std::string_view path) {
    const std::string_view program = without_folder(path);
    return holds(plain_files, path) || (program != path && holds(known, program));
}

}  // namespace drydock::sim
