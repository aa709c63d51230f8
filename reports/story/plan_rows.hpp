#pragma once

#include <drydock/faults/plan.hpp>
#include <drydock/faults/site.hpp>

#include <string>
#include <vector>

namespace drydock::reports {

/// Says what a plan chose at a site, as faults::PlanChooser follows it.
class PlanRows {
public:
    PlanRows(const faults::Plan& plan, faults::Names& names);

    /// The entry that holds at the site and its aspect, if any.
    const faults::PlanEntry* at(faults::Site site, faults::Aspect aspect) const;

    bool has_choice(const faults::Site& site) const;
    /// True if what is chosen at the site was all chosen at earlier ones, and repeats.
    bool only_repeats(const faults::Site& site) const;
    /// "status_before(500)", or of several aspects "slow(2s), cancel in_flight"; empty without any.
    std::string chosen(const faults::Site& site) const;

private:
    struct Row {
        faults::Site site;
        const faults::PlanEntry* entry;
    };
    std::vector<Row> rows_;
};

}  // namespace drydock::reports
