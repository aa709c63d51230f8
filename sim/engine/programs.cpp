#include "engine/programs.hpp"

#include "engine/files.hpp"
#include "engine/guard.hpp"
#include "engine/holds.hpp"
#include "engine/input_shell.hpp"
#include "engine/job_program.hpp"

#include <algorithm>
#include <array>

namespace drydock::sim {
namespace {

constexpr int not_executable = 126;
constexpr int not_tried = 128;
constexpr std::string_view cannot_exec =
    "OCI runtime exec failed: exec failed: unable to start container process: ";

constexpr std::array<std::string_view, 28> known = {
    "ash",    "bash",   "cat",         "echo",    "env",      "false", "head",
    "id",     "kill",   "drydock-job", "ln",      "ls",       "mkdir", "node",
    "ps",     "printf", "pwd",         "python3", "readlink", "rm",    "seq",
    "setsid", "sh",     "sleep",       "tail",    "touch",    "tr",    "true",
};

constexpr std::array<std::string_view, 6> folders = {
    "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/",
};

constexpr std::array<std::string_view, 2> plain_files = {"/etc/group", "/etc/passwd"};

/// Of the recorded image.
constexpr std::array<std::string_view, 8> plain_folders = {"/bin",  "/dev", "/etc", "/proc",
                                                           "/root", "/sys", "/tmp", "/work"};

bool is_known_user(std::string_view user) {
    const bool is_number = std::all_of(user.begin(), user.end(),
                                       [](char c) { return (c >= '0' && c <= '9') || c == ':'; });
    return is_number || user == "root" || user == "nobody";
}

bool is_shell(std::string_view program) {
    return program == "sh" || program == "bash" || program == "ash";
}

}  // namespace

std::string_view name_of_program(std::string_view path) {
    for (const std::string_view folder : folders) {
        if (path.starts_with(folder)) {
            return path.substr(folder.size());
        }
    }
    return path;
}

bool is_file_of_image(std::string_view path) {
    const std::string_view program = name_of_program(path);
    return holds(plain_files, path) || (program != path && holds(known, program));
}

Unrunnable why_not_run(const std::vector<std::string>& argv, std::string_view user,
                       bool has_files) {
    if (!is_known_user(user)) {
        return {.exit_code = not_tried,
                .why = "unable to find user " + std::string(user) +
                       ": no matching entries in passwd file",
                .was_tried = false};
    }
    const std::string_view program = name_of_program(argv[0]);
    if (has_files && holds(known, program)) {
        return {};
    }
    const std::string beginning = "exec: \"" + argv[0] + "\": ";
    if (holds(plain_files, program) || holds(plain_folders, program)) {
        return {.exit_code = not_executable, .why = beginning + "permission denied"};
    }
    const bool is_path = argv[0].find('/') != std::string::npos;
    return {.exit_code = not_found,
            .why = beginning + (is_path ? "stat " + argv[0] + ": no such file or directory"
                                        : "executable file not found in $PATH")};
}

std::string why_no_exec(const TaskSpec& spec, Tasks& tasks) {
    Unrunnable unrunnable = why_not_run(spec.argv, spec.user, !tasks.sandbox().config.has_no_image);
    const bool has_user = unrunnable.was_tried;
    if (has_user && !tasks.files().exists(spec.folder)) {
        unrunnable.why = "chdir to cwd (\"" + spec.folder +
                         "\") set in config.json failed: no such file or directory";
    }
    if (!has_user || unrunnable.why.empty()) {
        return unrunnable.why;
    }
    return unrunnable.why.insert(0, cannot_exec).append(": unknown");
}

std::vector<std::string> environment_of(const SandboxConfig& config) {
    std::vector<std::string> environment = {
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"};
    environment.insert(environment.end(), config.environment.begin(), config.environment.end());
    return environment;
}

std::unique_ptr<Behaviour> behaviour_of(const TaskSpec& spec) {
    if (spec.argv.empty() || !why_not_run(spec.argv, {}, true).why.empty()) {
        return nullptr;
    }
    const std::string_view program = name_of_program(spec.argv[0]);
    if (is_shell(program) && spec.argv.size() > 2 && spec.argv[1] == "-c") {
        return std::make_unique<Shell>(parse_script(spec.argv[2]));
    }
    const bool reads_script = is_shell(program) && spec.argv.size() == 1;
    if (reads_script && spec.has_input) {
        return std::make_unique<InputShell>();
    }
    if (is_shell(program) && spec.argv.size() > 1 && spec.argv[1] == guard_path) {
        return std::make_unique<Guard>();
    }
    if (program == "drydock-job") {
        return job_behaviour();
    }
    return std::make_unique<Shell>(spec.argv);
}

}  // namespace drydock::sim
