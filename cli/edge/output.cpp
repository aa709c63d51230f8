#include "edge/output.hpp"

#include "context.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace drydock::cli {
namespace {

/// 0, or why not all of it could be written.
int write_all(int stream, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(stream, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace

// For reading, so that writing still fails. open gives the lowest number that is free.
Output::Output() {
    int taken = STDIN_FILENO;
    while (taken >= 0 && taken <= STDERR_FILENO)
        taken = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (taken >= 0) close(taken);
}

void Output::print(std::string_view text) {
    if (error_ == 0) error_ = write_all(STDOUT_FILENO, text);
}

void Output::check() const {
    if (error_ == 0) return;
    throw NotThere(std::string("standard output cannot be written: ") + std::strerror(error_));
}

void print_error(std::string_view text) { write_all(STDERR_FILENO, text); }

}  // namespace drydock::cli
