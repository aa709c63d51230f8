#pragma once

#include <drydock/scenarios/client.hpp>

namespace drydock::scenarios {

ClientKind strix_768();
ClientKind strix_830();
ClientKind strix_831_unshielded();
ClientKind strix_831_detached();
ClientKind floci_2707();
ClientKind failed_probe();
ClientKind remove_conflict();
ClientKind druks_822_keys();
ClientKind druks_822_rollback();
ClientKind druks_866();
ClientKind nomad_6762();
ClientKind openhands_4825();
ClientKind deer_flow_1976();
ClientKind inspect_ai_5494();
ClientKind act_1463();
ClientKind gym_2212();
ClientKind ml_intern_163();
ClientKind suna_3571();
ClientKind opengeni_241();
ClientKind e2b_1658();
ClientKind daytona_4885();
ClientKind openwork_3219();
ClientKind icinga_10139();
ClientKind eliza_29678();
ClientKind prime_837_replay();
ClientKind prime_837_eof();
ClientKind benchflow_970_async();
ClientKind benchflow_970_prefix();
ClientKind null_exit_code();
ClientKind boxlite_1184();
ClientKind prime_837_stdin();

}  // namespace drydock::scenarios
