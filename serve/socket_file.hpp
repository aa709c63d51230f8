#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <sys/types.h>

#include <string>

namespace drydock::serve {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;

/// A listening socket and its file, which goes with it.
class SocketFile {
public:
    /// Replaces a socket file that nobody listens at. Throws faults::InputError.
    SocketFile(const asio::any_io_executor& executor, const std::string& path);
    SocketFile(const SocketFile&) = delete;
    SocketFile& operator=(const SocketFile&) = delete;
    ~SocketFile() { close(); }

    Protocol::acceptor& acceptor() noexcept { return acceptor_; }
    void close();

private:
    std::string path_;
    Protocol::acceptor acceptor_;
    dev_t device_ = 0;  ///< with the inode: another server may have taken the path over
    ino_t inode_ = 0;
};

}  // namespace drydock::serve
