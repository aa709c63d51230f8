#include <drydock/faults/plan_chooser.hpp>

#include <drydock/faults/random.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace drydock::faults {
namespace {

constexpr std::uint64_t filter_bit(std::uint64_t series) {
    return std::uint64_t{1} << ((series * 0x9e3779b97f4a7c15U) >> 58);
}

}  // namespace

PlanChooser::PlanChooser(Plan plan, Names& names) : plan_(std::move(plan)), times_(plan_.size()) {
    rows_.reserve(plan_.size());
    for (std::size_t i = 0; i < plan_.size(); ++i) {
        const PlanEntry& entry = plan_.entries()[i];
        const Site site = intern(entry.at, names);
        rows_.push_back({site.series(), site.n, entry.sticky, i});
        filter_ |= filter_bit(site.series());
    }
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
        return std::tie(a.series, a.n) < std::tie(b.series, b.n);
    });
    quiet_ = rows_.empty();
}

const Choice* PlanChooser::decide(const Site& site) {
    const std::uint64_t series = site.series();
    if ((filter_ & filter_bit(series)) == 0) {
        return nullptr;
    }
    // From the last row at or before this n backwards: the row of this very n, else the nearest
    // sticky one.
    auto row = std::upper_bound(rows_.begin(), rows_.end(), std::pair(series, site.n),
                                [](const std::pair<std::uint64_t, std::uint32_t>& key,
                                   const Row& r) { return key < std::pair(r.series, r.n); });
    while (row != rows_.begin() && (--row)->series == series) {
        if (row->n == site.n || row->sticky) {
            ++times_[row->entry];
            taken_.push_back({site, row->entry});
            return &plan_.entries()[row->entry].choose;
        }
    }
    return nullptr;
}

std::vector<std::string> PlanChooser::unknown_sites() const {
    std::vector<std::string> sites;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
        if (times_[i] == 0) {
            sites.push_back(to_string(plan_.entries()[i].at));
        }
    }
    return sites;
}

}  // namespace drydock::faults
