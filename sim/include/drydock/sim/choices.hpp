#pragma once

#include <drydock/faults/chooser.hpp>
#include <drydock/faults/witness.hpp>

#include <cstddef>
#include <deque>
#include <variant>
#include <vector>

namespace drydock::sim {

/// A choice made at a site, and what the run has seen of it so far. Empty for the default.
struct Made {
    const faults::Choice* choice = nullptr;
    faults::SiteFacts* facts = nullptr;

    explicit operator bool() const noexcept { return choice != nullptr; }
    template <class Kind>
    const Kind* as() const noexcept {
        return choice == nullptr ? nullptr : std::get_if<Kind>(choice);
    }
};

/// One run's choices with their facts, in the order in which they were made.
class Choices {
public:
    explicit Choices(faults::Chooser& chooser) : chooser_(chooser) {}

    Made at(const faults::Site& site) {
        const faults::Choice* choice = chooser_.choose(site);
        return choice == nullptr ? Made() : remember(*choice);
    }
    void stop() { chooser_.faults_stopped(); }

    const faults::Chooser& chooser() const noexcept { return chooser_; }
    /// In parallel with Chooser::taken.
    std::vector<faults::SiteFacts> facts() const { return {facts_.begin(), facts_.end()}; }

private:
    Made remember(const faults::Choice& choice);

    faults::Chooser& chooser_;
    std::deque<faults::SiteFacts> facts_;  // a deque: seams keep pointers into it
};

}  // namespace drydock::sim
