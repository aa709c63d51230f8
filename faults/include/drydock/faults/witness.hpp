#pragma once

#include <drydock/faults/chooser.hpp>
#include <drydock/faults/plan.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace drydock::faults {

/// What the world saw happen at one site where a choice was made. The simulator fills it;
/// everything is false until it happens.
struct SiteFacts {
    bool reached = false;  ///< the call began: the choice could have an effect
    // of an exchange
    bool sent = false;                  ///< the whole request left the client
    bool arrived = false;               ///< it reached the engine at least once
    bool arrived_after_giveup = false;  ///< ... when the client had given the exchange up
    bool second_arrival = false;        ///< it reached the engine twice
    bool applied = false;  ///< the engine carried it out at least once (a read: answered it)
    bool refused_by_engine = false;  ///< the engine itself said no, by its own state
    bool left_broken = false;        ///< a broken sandbox was left behind (partial)
    bool delivered = false;          ///< a whole reply reached the waiting client
    bool saw_reset = false;          ///< the client saw the connection break
    bool saw_cut_header = false;     ///< the client got part of the reply's head
    bool saw_cut_body = false;       ///< the client got the head and part of the body
    bool stalled = false;            ///< the client waited on a begun reply until it gave up
    bool waited_longer =
        false;  ///< delay, slow: the added time ran (in part) while the client waited
    // of a local operation
    bool local_failed = false;  ///< it ended as chosen
    // of a stream
    bool stream_changed = false;  ///< the client read, or missed, what it would not have else
    // of a guard's step
    bool step_struck = false;  ///< a process was killed, or waited
    // of the process and its calls
    std::vector<std::uint32_t>
        calls_struck{};          ///< per strike of a Cancel: public calls it cancelled
    bool crashed_alive = false;  ///< the process was alive when the crash struck
    // of the engine
    bool trait_changed_something = false;  ///< some answer or state differed for it
};

/// Whether what happened shows that the choice changed the run. A choice that nothing shows is
/// inert.
bool witnessed(const Choice& choice, const SiteFacts& facts);

/// The sites of those entries of `plan` that were never witnessed, unknown ones included, in the
/// plan's order. `taken` and `facts` run in parallel (see Chooser::taken).
std::vector<std::string> inert_entries(const Plan& plan, std::span<const Taken> taken,
                                       std::span<const SiteFacts> facts);

}  // namespace drydock::faults
