#include <drydock/serve/docker_service.hpp>

#include <drydock/sim/docker_face.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <chrono>
#include <csignal>

namespace drydock::serve {

void serve_docker(const DockerService& service) {
    asio::io_context context(1);
    // Before the socket is there: who sees it may send the signal.
    asio::signal_set signals(context, SIGINT, SIGTERM);
    signals.async_wait([&context](boost::system::error_code, int) { context.stop(); });
    sim::World world;
    sim::DockerModel model(world);
    model.engine().set_wall_start(std::chrono::system_clock::now());
    for (const std::string& image : service.images) {
        model.add_image(image);
    }
    const Server server(context.get_executor(), world, model, service.path, service.on_request);
    if (service.on_ready) service.on_ready();
    context.run();
}

}  // namespace drydock::serve
