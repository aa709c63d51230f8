#pragma once

#include <drydock/faults/choice.hpp>
#include <drydock/faults/plan.hpp>
#include <drydock/faults/site.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace drydock::faults {

/// A choice that was handed out: which entry of the chooser's plan, and where. A sticky entry is
/// handed out many times.
struct Taken {
    Site site;
    std::size_t entry = 0;
};

/// Decides the uncertain things of one run. Asked once per site, in the order in which sites come
/// up.
class Chooser {
public:
    virtual ~Chooser() = default;
    Chooser(const Chooser&) = delete;
    Chooser& operator=(const Chooser&) = delete;

    /// What happens at this site; nullptr: the default. Valid as long as the chooser.
    const Choice* choose(const Site& site) { return quiet_ ? nullptr : decide(site); }

    /// From now on everything is the default, sticky choices too.
    void faults_stopped() noexcept { quiet_ = true; }

    /// Every choice handed out so far, in order: one more after each `choose` that was not nullptr.
    std::span<const Taken> taken() const noexcept { return taken_; }

    /// The plan that this run follows: a PlanChooser over it hands out the same choices.
    virtual Plan plan(const Names& names) const = 0;

protected:
    Chooser() = default;

    virtual const Choice* decide(const Site& site) = 0;

    /// True while there is nothing left to decide: `choose` then costs one branch.
    bool quiet_ = false;
    std::vector<Taken> taken_;
};

}  // namespace drydock::faults
