#include "story/plan_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace drydock::reports {
namespace {

using faults::Aspect;

constexpr std::array<Aspect, faults::aspect_count> aspects{
    Aspect::fate,   Aspect::delay,  Aspect::cancel, Aspect::crash,
    Aspect::engine, Aspect::stream, Aspect::step};

}  // namespace

PlanRows::PlanRows(const faults::Plan& plan, faults::Names& names) {
    for (const faults::PlanEntry& entry : plan.entries()) {
        rows_.push_back({faults::intern(entry.at, names), &entry});
    }
}

const faults::PlanEntry* PlanRows::at(faults::Site site, Aspect aspect) const {
    site.aspect = aspect;
    const Row* best = nullptr;
    for (const Row& row : rows_) {
        const bool holds = row.site.series() == site.series() &&
                           (row.site.n == site.n || (row.entry->sticky && row.site.n < site.n));
        if (holds && (best == nullptr || row.site.n > best->site.n)) best = &row;
    }
    return best == nullptr ? nullptr : best->entry;
}

bool PlanRows::has_choice(const faults::Site& site) const {
    for (const Aspect aspect : aspects) {
        if (at(site, aspect) != nullptr) return true;
    }
    return false;
}

bool PlanRows::only_repeats(const faults::Site& site) const {
    return std::all_of(aspects.begin(), aspects.end(), [&](Aspect aspect) {
        const faults::PlanEntry* entry = at(site, aspect);
        return entry == nullptr || entry->at.n < site.n;
    });
}

std::string PlanRows::chosen(const faults::Site& site) const {
    std::vector<std::string> words;
    for (const Aspect aspect : aspects) {
        const faults::PlanEntry* entry = at(site, aspect);
        if (entry == nullptr) continue;
        const std::string choice = faults::to_string(entry->choose);
        words.push_back(
            aspect == Aspect::fate ? choice : fmt::format("{} {}", faults::name(aspect), choice));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace drydock::reports
