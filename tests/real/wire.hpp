#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace drydock::real {

struct Request {
    std::string method;
    std::string target;
    std::string body;
};

struct Answer {
    unsigned status = 0;
    std::string body;
    /// False if the body had not ended by the limit.
    bool ended = false;
};

/// One request on a connection of its own to an engine's socket. Throws std::runtime_error if the
/// engine is not there, breaks off, or gives no header within half a minute.
class Exchange {
public:
    /// Sends the request and reads the answer's header.
    Exchange(const std::string& socket, const Request& request);
    ~Exchange();
    Exchange(Exchange&&) noexcept;

    Answer finish(std::chrono::milliseconds limit);

private:
    struct Connection;
    std::unique_ptr<Connection> connection_;
};

}  // namespace drydock::real
