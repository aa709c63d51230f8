#pragma once

#include <drydock/serve/server.hpp>

#include <functional>
#include <string>
#include <vector>

namespace drydock::serve {

/// The simulated Docker Engine for real clients.
struct DockerService {
    std::string path;                   ///< of the socket
    std::vector<std::string> images{};  ///< the ones it knows; none: every one
    std::function<void()> on_ready{};
    Observer on_request{};
};

/// Serves until SIGTERM or SIGINT, which this process must not await elsewhere. Throws
/// faults::InputError if the path cannot be had.
void serve_docker(const DockerService& service);

}  // namespace drydock::serve
