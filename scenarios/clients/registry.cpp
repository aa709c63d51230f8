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
    for (const auto make : {strix_768,
                            strix_830,
                            strix_831_unshielded,
                            strix_831_detached,
                            floci_2707,
                            failed_probe,
                            remove_conflict,
                            druks_822_keys,
                            druks_822_rollback,
                            druks_866,
                            nomad_6762,
                            openhands_4825,
                            deer_flow_1976,
                            inspect_ai_5494,
                            act_1463,
                            gym_2212,
                            ml_intern_163,
                            suna_3571,
                            opengeni_241,
                            e2b_1658,
                            daytona_4885,
                            openwork_3219,
                            icinga_10139,
                            eliza_29678,
                            prime_837_replay,
                            prime_837_eof,
                            benchflow_970_async,
                            benchflow_970_prefix,
                            null_exit_code,
                            boxlite_1184,
                            prime_837_stdin}) {
        registry.add(make());
    }
    return registry;
}

}  // namespace drydock::scenarios
