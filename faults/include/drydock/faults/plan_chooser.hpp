#pragma once

#include <drydock/faults/chooser.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace drydock::faults {

/// Follows a plan. A sticky entry applies to its site and every later n of that series; an entry at
/// a later n wins there.
class PlanChooser final : public Chooser {
public:
    /// Gives the plan's names their numbers in `names`, which the run must go on using.
    PlanChooser(Plan plan, Names& names);

    Plan plan(const Names&) const override { return plan_; }
    const Plan& plan() const noexcept { return plan_; }

    /// How often each entry was handed out.
    const std::vector<std::uint32_t>& times_taken() const noexcept { return times_; }

    /// The entries whose site has not come up (while faults were on), spelt out, in the plan's
    /// order.
    std::vector<std::string> unknown_sites() const;

private:
    struct Row {
        std::uint64_t series;
        std::uint32_t n;
        bool sticky;
        std::size_t entry;
    };

    const Choice* decide(const Site& site) override;

    Plan plan_;
    std::vector<Row> rows_;     ///< sorted by series and n
    std::uint64_t filter_ = 0;  ///< a bit per series that has rows: most sites are dismissed by it
    std::vector<std::uint32_t> times_;
};

}  // namespace drydock::faults
