#pragma once

#include <drydock/backend.hpp>
#include <drydock/transport.hpp>

#include <memory>

namespace drydock::docker {

/// The output of a started exec out of the frames of its connection. `status` is the head's.
std::unique_ptr<ExecStream> make_exec_stream(std::unique_ptr<ByteStream> bytes, int status);

}  // namespace drydock::docker
