#pragma once

#include <drydock/faults/chooser.hpp>
#include <drydock/faults/outcome.hpp>
#include <drydock/faults/random_chooser.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace drydock::faults {

struct CampaignOptions {
    std::uint64_t runs = 1000;
    std::uint64_t seed = 1;
    std::uint64_t first = 0;   ///< index of the first run, for shards
    std::uint64_t stride = 1;  ///< distance between this shard's runs
    RandomOptions chooser{};
    bool stop_at_first = true;  ///< end with the first run that is not pass or void
};

/// A run that broke something.
struct Find {
    std::uint64_t index = 0;  ///< run `index` of the campaign: seed_of(seed, index) makes it again
    Outcome outcome;
};

/// What a campaign did; also what its progress callback sees while it runs.
struct CampaignReport {
    std::uint64_t runs = 0;
    std::uint64_t void_runs = 0;
    std::uint64_t inert_choices = 0;
    std::map<std::string, std::uint64_t, std::less<>> choices_by_kind{};
    std::vector<Find> finds{};
    std::uint64_t digest = 0;  ///< over the digests of all runs, in order
};

/// Random search: runs a function over RandomChoosers. Knows no simulator and no clock; a budget is
/// the callback's business.
class RandomCampaign {
public:
    /// One run. Must not keep the chooser.
    using Run = std::function<Outcome(Chooser&)>;
    /// Called after each run; false ends the campaign.
    using Progress = std::function<bool(const CampaignReport&)>;

    RandomCampaign(Run run, CampaignOptions options);

    CampaignReport search(const Progress& progress = {}) const;

private:
    Run run_;
    CampaignOptions options_;
};

}  // namespace drydock::faults
