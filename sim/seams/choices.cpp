#include <drydock/sim/choices.hpp>

namespace drydock::sim {

Made Choices::remember(const faults::Choice& choice) {
    faults::SiteFacts& facts = facts_.emplace_back();
    facts.reached = true;
    return {&choice, &facts};
}

}  // namespace drydock::sim
