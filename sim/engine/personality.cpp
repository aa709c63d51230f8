#include <drydock/sim/personality.hpp>

namespace drydock::sim {

Personality docker_personality() { return {}; }

Personality moby_current_personality() {
    Personality personality;
    personality.reveal_time = std::chrono::milliseconds(50);
    return personality;
}

Personality daytona_personality() {
    using namespace std::chrono_literals;
    Personality personality;
    personality.create_time = 800ms;
    personality.start_time = 1s;
    personality.remove_time = 2s;
    personality.starting = Status::starting;
    personality.removing = Status::destroying;
    personality.broken = Status::error;
    personality.remove_answers_when_gone = false;
    personality.refuses_while_changing = true;
    personality.renames_on_removal = true;
    personality.list_delay = 1s;
    personality.capabilities.list_consistent = false;
    personality.capabilities.removal_confirmed = false;
    personality.capabilities.name_held_until_gone = false;
    return personality;
}

}  // namespace drydock::sim
