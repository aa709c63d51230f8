#include "socket_file.hpp"

#include <drydock/faults/input_error.hpp>

#include <fmt/format.h>

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <string_view>

namespace drydock::serve {
namespace {

constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
    throw faults::InputError("", why, path);
}

void check_length(const std::string& path) {
    if (path.empty()) fail(path, "the path of a socket must not be empty");
    if (path.size() > longest_path) {
        fail(path, fmt::format("the path has {} bytes, and a socket's at most {}", path.size(),
                               longest_path));
    }
}

/// Removes what a server left behind that did not end cleanly; refuses anything else.
void clear_path(const asio::any_io_executor& executor, const std::string& path) {
    struct stat found{};
    if (lstat(path.c_str(), &found) != 0) return;  // bind says what is wrong, if anything is
    if (!S_ISSOCK(found.st_mode)) fail(path, "is there and is not a socket");
    Protocol::socket probe(executor);
    boost::system::error_code failure;
    probe.connect(Protocol::endpoint(path), failure);
    if (failure == asio::error::connection_refused) {
        unlink(path.c_str());
    } else if (!failure || failure == asio::error::try_again) {
        fail(path, "another server listens here");
    } else {
        fail(path, "cannot tell whether a server listens here: " + failure.message());
    }
}

}  // namespace

SocketFile::SocketFile(const asio::any_io_executor& executor, const std::string& path)
    : path_(path), acceptor_(executor) {
    check_length(path);
    clear_path(executor, path);
    try {
        acceptor_.open();
        acceptor_.bind(Protocol::endpoint(path));
        acceptor_.listen();
    } catch (const boost::system::system_error& error) {
        fail(path, "cannot listen here: " + error.code().message());
    }
    struct stat made{};
    stat(path.c_str(), &made);
    device_ = made.st_dev;
    inode_ = made.st_ino;
}

void SocketFile::close() {
    if (!acceptor_.is_open()) return;
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    struct stat found{};
    const bool is_there = stat(path_.c_str(), &found) == 0;
    if (is_there && found.st_dev == device_ && found.st_ino == inode_) unlink(path_.c_str());
}

}  // namespace drydock::serve
