#include <drydock/faults/campaign.hpp>

#include <cassert>
#include <utility>

namespace drydock::faults {
namespace {

bool broke_something(Verdict verdict) {
    return verdict != Verdict::pass && verdict != Verdict::void_;
}

void count(CampaignReport& report, const Outcome& outcome) {
    ++report.runs;
    report.void_runs += outcome.is_void ? 1 : 0;
    report.inert_choices += outcome.inert.size();
    report.digest = mix(report.digest ^ outcome.digest);
    for (const PlanEntry& entry : outcome.plan.entries()) {
        const std::string_view kind = kind_name(entry.choose);
        auto row = report.choices_by_kind.find(kind);
        if (row == report.choices_by_kind.end()) {
            row = report.choices_by_kind.emplace(std::string(kind), 0).first;
        }
        ++row->second;
    }
}

}  // namespace

RandomCampaign::RandomCampaign(Run run, CampaignOptions options)
    : run_(std::move(run)), options_(options) {
    assert(run_ && options_.stride > 0);
}

CampaignReport RandomCampaign::search(const Progress& progress) const {
    CampaignReport report;
    for (std::uint64_t i = 0; i < options_.runs; ++i) {
        const std::uint64_t index = options_.first + i * options_.stride;
        RandomChooser chooser(seed_of(options_.seed, index), options_.chooser);
        Outcome outcome = run_(chooser);
        count(report, outcome);
        const bool broke = broke_something(outcome.verdict);
        if (broke) {
            report.finds.push_back({index, std::move(outcome)});
        }
        const bool go_on = !progress || progress(report);
        if (!go_on || (broke && options_.stop_at_first)) {
            break;
        }
    }
    return report;
}

}  // namespace drydock::faults
