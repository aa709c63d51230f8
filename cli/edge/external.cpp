#include "edge/external.hpp"

#include "context.hpp"
#include "edge/environment.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace drydock::cli {
namespace {

/// What a child's descriptors and folder are to be.
class Setting {
public:
    Setting(const std::string& folder, const std::string& output_file) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, output_file.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0644);
        posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
        posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { posix_spawn_file_actions_destroy(&actions_); }

    const posix_spawn_file_actions_t* actions() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

/// A group of its own, so that it can be ended with all that it started, and no signal blocked.
class Attributes {
public:
    Attributes() {
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setsigmask(&attributes_, &none);
    }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }

    const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

/// True if the child has ended.
bool reap(pid_t child, int options, int& status) {
    pid_t ended = waitpid(child, &status, options);
    while (ended < 0 && errno == EINTR)
        ended = waitpid(child, &status, options);
    if (ended < 0) throw NotThere(std::string("waitpid: ") + std::strerror(errno));
    return ended == child;
}

// SIGTERM and not SIGKILL: ninja passes it on to compilers, which have groups of their own.
[[noreturn]] void end_and_stop(pid_t child, int signal) {
    int status = 0;
    kill(-child, SIGTERM);
    reap(child, 0, status);
    throw Stopped{signal};
}

int wait_for(pid_t child, const StopGuard& guard) {
    int status = 0;
    while (!reap(child, WNOHANG, status)) {
        const int signal = sigwaitinfo(&guard.signals(), nullptr);
        if (signal > 0 && signal != SIGCHLD) end_and_stop(child, signal);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_in_path(const std::string& name) {
    const std::string path = environment("PATH").value_or("/usr/bin:/bin");
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const std::string file = path.substr(begin, end - begin) + "/" + name;
        if (access(file.c_str(), X_OK) == 0) return true;
        begin = end + 1;
    }
    return false;
}

}  // namespace

StopGuard::StopGuard() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGCHLD);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action{};
        const bool is_ignored =
            sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
        if (!is_ignored) sigaddset(&signals_, signal);
    }
    sigprocmask(SIG_BLOCK, &signals_, &before_);
}

StopGuard::~StopGuard() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

int run_program(const std::vector<std::string>& command, const std::string& folder,
                const std::string& output_file, const StopGuard& guard) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const Setting setting(folder, output_file);
    const Attributes attributes;
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments.front(), setting.actions(), attributes.get(),
                                   arguments.data(), ::environ);
    if (error != 0) throw NotThere(command.front() + ": " + std::strerror(error));
    return wait_for(child, guard);
}

void need_programs(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (!is_in_path(name)) throw NotThere("the program " + name + " is not there");
    }
}

}  // namespace drydock::cli
