#pragma once

#include <drydock/capabilities.hpp>
#include <drydock/sim/sandbox.hpp>

#include <chrono>

namespace drydock::sim {

/// All that makes one kind of engine differ from another: durations, words and switches. A duration
/// of zero means that the call which begins the change also answers with it done.
struct Personality {
    /// From taking the name to being there, which is also when a create answers. The name's holder
    /// is not found before.
    Duration reveal_time{};
    Duration create_time{};                                ///< from `creating` to `created`
    Duration start_time{};                                 ///< from `starting` to `running`
    Duration remove_time = std::chrono::milliseconds(20);  ///< from `removing` to gone
    Status starting = Status::restarting;
    Status removing = Status::removing;
    Status broken = Status::dead;  ///< what a create that failed half-way leaves behind

    bool remove_answers_when_gone = true;  ///< else as soon as it is accepted
    bool refuses_while_changing = false;   ///< start and remove: "state change in progress"
    bool renames_on_removal = false;       ///< the name is free while the old one still runs

    Duration list_delay{};  ///< lists show births and ends only so much later

    Capabilities capabilities;
};

/// Docker Engine 20.10.24 as recorded.
Personality docker_personality();
/// What moby's present code does differently (corpus/faults.md, section 3): a create takes the name
/// first and shows the container last.
Personality moby_current_personality();
/// A service with accepted-only removal, transitional states and lagging lists (corpus/faults.md).
Personality daytona_personality();

}  // namespace drydock::sim
