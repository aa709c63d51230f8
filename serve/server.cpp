#include <drydock/serve/server.hpp>

#include "connection.hpp"
#include "live_world.hpp"
#include "socket_file.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <utility>

namespace drydock::serve {

namespace {

constexpr auto completion = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::milliseconds pause_without_files = std::chrono::milliseconds(50);

}  // namespace

class Server::Listener : public std::enable_shared_from_this<Listener> {
public:
    Listener(const asio::any_io_executor& executor, sim::World& world, sim::BackendModel& model,
             const std::string& path, Observer observer)
        : file_(executor, path),
          world_(std::make_shared<LiveWorld>(executor, world, model)),
          observer_(std::move(observer)),
          pause_(executor) {}

    void start() {
        asio::co_spawn(file_.acceptor().get_executor(), accept_all(),
                       [self = shared_from_this()](const std::exception_ptr& failure) {
                           if (failure) std::rethrow_exception(failure);
                       });
    }
    void stop() {
        file_.close();
        pause_.cancel();
    }

private:
    asio::awaitable<void> accept_all() {
        while (file_.acceptor().is_open()) {
            auto [failure, socket] = co_await file_.acceptor().async_accept(completion);
            if (!failure) {
                std::make_shared<Connection>(std::move(socket), world_, observer_)->start();
            } else if (file_.acceptor().is_open()) {
                // No more files, say. Connections that end will free some.
                pause_.expires_after(pause_without_files);
                [[maybe_unused]] const auto woken = co_await pause_.async_wait(completion);
            }
        }
    }

    SocketFile file_;
    std::shared_ptr<LiveWorld> world_;
    Observer observer_;
    asio::steady_timer pause_;
};

Server::Server(asio::any_io_executor executor, sim::World& world, sim::BackendModel& model,
               const std::string& path, Observer observer)
    : listener_(std::make_shared<Listener>(executor, world, model, path, std::move(observer))) {
    listener_->start();
}

Server::~Server() { listener_->stop(); }

}  // namespace drydock::serve
