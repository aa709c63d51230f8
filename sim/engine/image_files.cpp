// The recorded image: a busybox with a link for each of its programs.
#include "engine/files.hpp"

#include <array>
#include <utility>

namespace drydock::sim {
namespace {

/// Those that scripts use.
constexpr std::array<std::string_view, 74> programs = {
    "[",      "ash",    "awk",     "base64",    "basename", "cat",     "chmod", "chown",
    "cp",     "cut",    "date",    "dd",        "df",       "dirname", "du",    "echo",
    "env",    "expr",   "false",   "find",      "grep",     "gzip",    "head",  "hostname",
    "id",     "kill",   "killall", "ln",        "ls",       "md5sum",  "mkdir", "mkfifo",
    "mktemp", "mount",  "mv",      "nc",        "nohup",    "od",      "ping",  "pkill",
    "printf", "ps",     "pwd",     "readlink",  "realpath", "rm",      "rmdir", "sed",
    "seq",    "setsid", "sh",      "sha256sum", "sleep",    "sort",    "stat",  "stty",
    "sync",   "tail",   "tar",     "tee",       "test",     "timeout", "touch", "tr",
    "true",   "tty",    "uname",   "uniq",      "unlink",   "usleep",  "wc",    "wget",
    "which",  "xargs",
};

constexpr WallTime of_the_image{};

Inode folder(std::uint16_t mode) {
    return {.kind = FileKind::folder, .mode = mode, .changed = of_the_image};
}

Inode file(std::uint16_t mode, std::string content = {}) {
    Inode inode{.mode = mode, .changed = of_the_image};
    inode.content = std::move(content);
    return inode;
}

Inode link(std::string text) {
    Inode inode{.kind = FileKind::link, .mode = 0777, .changed = of_the_image};
    inode.content = std::move(text);
    return inode;
}

void add_image(FileMap& files) {
    for (const char* const path : {"/bin", "/dev", "/etc", "/proc", "/root", "/sys", "/work"}) {
        files.emplace(path, folder(0755));
    }
    files.emplace("/tmp", folder(01777));
    files.emplace("/etc/passwd", file(0644,
                                      "root:x:0:0:root:/root:/bin/sh\n"
                                      "nobody:x:65534:65534:nobody:/:/bin/false\n"));
    files.emplace("/etc/group", file(0644, "root:x:0:\nnobody:x:65534:\n"));
    files.emplace("/bin/busybox", file(0755,
                                       "\x7f"
                                       "ELF"));
    for (const std::string_view program : programs) {
        files.emplace("/bin/" + std::string(program), link("busybox"));
    }
}

/// What the engine puts below each container, for its mounts to cover.
void add_engines_own(FileMap& files) {
    files.emplace("/.dockerenv", file(0755));
    for (const char* const path : {"/etc/hostname", "/etc/hosts", "/etc/resolv.conf"}) {
        files.emplace(path, file(0755));
    }
    files.emplace("/etc/mtab", link("/proc/mounts"));
    files.emplace("/dev/console", file(0755));
    files.emplace("/dev/pts", folder(0755));
    files.emplace("/dev/shm", folder(0755));
}

}  // namespace

const FileMap& no_files() {
    static const FileMap files = {{"/", folder(0755)}};
    return files;
}

const FileMap& image_files() {
    static const FileMap files = [] {
        FileMap all = no_files();
        add_image(all);
        add_engines_own(all);
        return all;
    }();
    return files;
}

}  // namespace drydock::sim
