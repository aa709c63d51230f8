#include "engine/command.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace drydock::sim {
namespace {

/// How long a program takes that has nothing to do.
constexpr Duration a_moment = std::chrono::milliseconds(5);

constexpr std::array<std::string_view, 16> known = {
    "ash",   "bash", "cat", "echo",    "env", "false", "id",   "ls",
    "mkdir", "node", "pwd", "python3", "sh",  "sleep", "tail", "true",
};

constexpr std::array<std::string_view, 6> folders = {
    "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/",
};

constexpr std::array<std::string_view, 2> plain_files = {"/etc/group", "/etc/passwd"};

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

/// The N of "exit N" or "sleep N", or nothing.
std::optional<int> number_after(std::string_view text, std::string_view word) {
    if (!text.starts_with(word)) {
        return std::nullopt;
    }
    text.remove_prefix(word.size());
    int number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{} || end != text.data() + text.size() || number < 0) {
        return std::nullopt;
    }
    return number;
}

Command script(std::string_view text) {
    if (const auto code = number_after(text, "exit ")) {
        return {{}, *code & 0xff, a_moment};
    }
    if (const auto seconds = number_after(text, "sleep ")) {
        return {{}, 0, std::chrono::seconds(*seconds)};
    }
    const bool is_endless = text.starts_with("sleep infinity") || text.starts_with("while ") ||
                            text.starts_with("tail -f");
    return {{}, 0, is_endless ? std::nullopt : std::optional<Duration>(a_moment)};
}

bool is_known_user(std::string_view user) {
    const bool is_number = std::all_of(user.begin(), user.end(),
                                       [](char c) { return (c >= '0' && c <= '9') || c == ':'; });
    return is_number || user == "root" || user == "nobody";
}

}  // namespace

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
    if (!holds(known, program)) {
        if (holds(plain_files, program)) {
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
