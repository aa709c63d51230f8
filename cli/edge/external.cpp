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

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw NotThere(std::string("waitpid: ") + std::strerror(errno));
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

int run_program(const std::vector<std::string>& command, const std::string& folder,
                const std::string& output_file) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const Setting setting(folder, output_file);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments.front(), setting.actions(), nullptr,
                                   arguments.data(), ::environ);
    if (error != 0) throw NotThere(command.front() + ": " + std::strerror(error));
    return wait_for(child);
}

void need_programs(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (!is_in_path(name)) throw NotThere("the program " + name + " is not there");
    }
}

}  // namespace drydock::cli
