#pragma once

#include <drydock/sim/backend_model.hpp>
#include <drydock/time.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace drydock::serve {

/// How one request went.
struct Served {
    std::string_view method = "-";  ///< as sent; "-": what came was no request
    std::string_view target = "-";
    int status = 0;            ///< 0: there was no answer yet when the client left
    Duration took{};           ///< from the request's last byte to the answer's
    bool is_delivered = true;  ///< false: the client left before its answer
};

using Observer = std::function<void(const Served&)>;

/// A backend model behind a unix socket, for any HTTP/1 client. The world follows the real clock:
/// its Time{} is when the server was made. Everything runs on the executor, which must not run
/// handlers at the same time; it, the world and the model must outlive the connections.
class Server {
public:
    /// Listens from here on. An abandoned socket file at the path is replaced; throws
    /// faults::InputError where there is a live one, or anything else, or no way to make one.
    Server(asio::any_io_executor executor, sim::World& world, sim::BackendModel& model,
           const std::string& path, Observer observer = {});
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    /// Accepts nobody any more and removes the socket file. Connections end with their clients.
    ~Server();

private:
    class Listener;
    std::shared_ptr<Listener> listener_;
};

}  // namespace drydock::serve
