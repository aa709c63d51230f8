#pragma once

#include <drydock/scenarios/client.hpp>
#include <drydock/scenarios/gate.hpp>
#include <drydock/sim/backends.hpp>

#include <string>
#include <vector>

namespace drydock::reports {

/// What can be named on the command line and in files.
struct Catalogue {
    const sim::BackendRegistry* backends = nullptr;
    const scenarios::ClientRegistry* clients = nullptr;
    std::vector<scenarios::CorpusEntry> corpus{};
};

std::string listing(const Catalogue& catalogue);
/// The same names by section; format drydock.list/1.
std::string listing_json(const Catalogue& catalogue);

}  // namespace drydock::reports
