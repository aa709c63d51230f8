#pragma once

#include <drydock/faults/chooser.hpp>
#include <drydock/faults/random.hpp>

#include <cstdint>
#include <vector>

namespace drydock::faults {

/// Limits of one random run.
struct RandomOptions {
    std::uint32_t max_choices = 6;  ///< entries of the plan; a sticky one counts once
    std::uint32_t max_cancels = 3;  ///< single cancellations, those of a list counted each
    std::uint32_t max_crashes = 1;
    std::uint32_t sticky_percent = 15;  ///< of fates and delays
};

/// Decides at each site as it comes up, from the fixed alphabet of its operation. Swarm style: each
/// run first draws which kinds of fault it uses at all, where, how often, and how many it aims for,
/// so that runs differ in character and not only in detail.
class RandomChooser final : public Chooser {
public:
    explicit RandomChooser(std::uint64_t seed, RandomOptions options = {});

    Plan plan(const Names& names) const override;

    std::uint32_t rate_percent() const noexcept { return rate_; }
    std::uint32_t aim() const noexcept { return aim_; }

private:
    /// Where a run has its choices.
    enum class Scope : std::uint8_t { everything, jobs, streams, steps };

    struct Made {
        Site site;
        Choice choice;
        bool sticky;
    };

    const Choice* decide(const Site& site) override;
    void draw_scope();
    bool is_in_scope(const Site& site) const;
    const Choice* repeat_sticky(const Site& site);
    bool allowed(const Choice& choice) const;
    const Choice* pick(const Site& site);
    const Choice* hand_out(const Site& site, std::size_t entry);

    SplitMix64 random_;
    RandomOptions options_;
    std::uint64_t kinds_;  ///< a bit per kind of fault that this run uses
    std::uint32_t rate_;
    std::uint32_t aim_;
    std::uint32_t cancels_ = 0;
    std::uint32_t crashes_ = 0;
    Scope scope_ = Scope::everything;
    bool any_sticky_ = false;
    std::vector<Made> made_;  ///< its capacity is never exceeded: pointers into it are handed out
};

}  // namespace drydock::faults
