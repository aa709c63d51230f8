#pragma once

#include <drydock/error.hpp>
#include <drydock/transport.hpp>

namespace drydock::docker {

/// True for a status with which `operation` has succeeded.
bool is_success(Operation operation, int status);

/// The error that a refusing answer means.
Error refused(Operation operation, const Response& response);

/// The error of a success whose body cannot be read: it was applied, whatever it says.
Error unreadable(Operation operation, const Response& response);

/// The error of an exchange without a readable reply.
Error failed(Operation operation, const TransportFailure& failure);

}  // namespace drydock::docker
