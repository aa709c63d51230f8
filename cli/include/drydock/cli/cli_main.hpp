#pragma once

#include <drydock/scenarios/client.hpp>
#include <drydock/sim/backends.hpp>

namespace drydock {

/// The drydock command over these backends and clients: a program of one's own that registers more
/// of them gets every subcommand. Returns the exit code; writes to standard output and error.
int cli_main(int argc, const char* const* argv, const sim::BackendRegistry& backends,
             const scenarios::ClientRegistry& clients);

/// With those that drydock brings.
int cli_main(int argc, const char* const* argv);

}  // namespace drydock
