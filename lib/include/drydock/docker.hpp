#pragma once

#include <drydock/backend.hpp>
#include <drydock/transport.hpp>

#include <memory>

namespace drydock {

/// What Docker Engine promises (API 1.41, recorded from 20.10.24).
Capabilities docker_capabilities();

/// Speaks the Docker Engine API, version 1.41, over `transport`, which must outlive it. Another
/// engine with the same requests (Podman) passes its own capabilities.
std::unique_ptr<Backend> make_docker_backend(Transport& transport,
                                             Capabilities capabilities = docker_capabilities());

}  // namespace drydock
