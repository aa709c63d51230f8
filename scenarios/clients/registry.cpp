#include "clients/legacy/kinds.hpp"
#include "clients/library_client.hpp"

#include <drydock/scenarios/client.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace drydock::scenarios {

void ClientRegistry::add(ClientKind kind) {
    if (find(kind.name)) throw std::invalid_argument("client registered twice: " + kind.name);
    kinds_.push_back(std::move(kind));
}

const ClientKind* ClientRegistry::find(std::string_view name) const {
    const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                    [name](const ClientKind& kind) { return kind.name == name; });
    return found == kinds_.end() ? nullptr : &*found;
}

ClientRegistry builtin_clients() {
    ClientRegistry registry;
    registry.add(library());
    for (const auto make : {strix_768, strix_830, strix_831_unshielded, strix_831_detached,
                            floci_2707, failed_probe, remove_conflict}) {
        registry.add(make());
    }
    return registry;
}

}  // namespace drydock::scenarios
