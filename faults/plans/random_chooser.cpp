#include <drydock/faults/random_chooser.hpp>

#include <drydock/faults/alphabet.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace drydock::faults {
namespace {

constexpr std::array<std::uint32_t, 8> rates{3, 5, 8, 12, 17, 23, 31, 40};
constexpr std::uint32_t jobs_percent = 8;
constexpr std::uint32_t streams_percent = 6;
constexpr std::uint32_t steps_percent = 12;

std::uint32_t cancels_in(const Choice& choice) {
    const auto* cancel = std::get_if<Cancel>(&choice);
    return cancel == nullptr ? 0 : static_cast<std::uint32_t>(cancel->strikes.size());
}

bool may_be_sticky(Aspect aspect) { return aspect == Aspect::fate || aspect == Aspect::delay; }

/// What a job is made of, as seen by the client and in its sandbox.
bool is_of_jobs(Operation operation) {
    switch (operation) {
        case Operation::exec_create:
        case Operation::exec_start:
        case Operation::exec_inspect:
        case Operation::exec_read:
        case Operation::archive_put:
        case Operation::archive_get:
        case Operation::job_wait:
        case Operation::guard_step: return true;
        default: return false;
    }
}

constexpr std::uint64_t bit(std::size_t kind) { return std::uint64_t{1} << kind; }

/// Half of all kinds on average, at least one.
std::uint64_t draw_kinds(SplitMix64& random) {
    const auto all = alphabet_kinds();
    const auto certain = random.below(static_cast<std::uint32_t>(all.size()));
    const auto percent = 15 + random.below(70);
    std::uint64_t kinds = bit(all[certain]);
    for (const std::size_t kind : all) {
        kinds |= random.chance(percent) ? bit(kind) : 0;
    }
    return kinds;
}

}  // namespace

RandomChooser::RandomChooser(std::uint64_t seed, RandomOptions options)
    : random_(seed), options_(options), kinds_(draw_kinds(random_)) {
    rate_ = rates[random_.below(rates.size())];
    aim_ = options_.max_choices == 0 ? 0 : 1 + random_.below(options_.max_choices);
    quiet_ = aim_ == 0;
    draw_scope();
}

// A run comes to its jobs after their leases, and to few streams and steps even then.
void RandomChooser::draw_scope() {
    const std::uint32_t dice = random_.below(100);
    if (dice < jobs_percent) {
        scope_ = Scope::jobs;
    } else if (dice < jobs_percent + streams_percent) {
        scope_ = Scope::streams;
        rate_ = rates.back();
    } else if (dice < jobs_percent + streams_percent + steps_percent) {
        scope_ = Scope::steps;
    }
}

bool RandomChooser::is_in_scope(const Site& site) const {
    switch (scope_) {
        case Scope::everything: return true;
        case Scope::jobs: return is_of_jobs(site.operation);
        case Scope::streams: return site.aspect == Aspect::stream;
        case Scope::steps: return site.aspect == Aspect::step;
    }
    return false;
}

const Choice* RandomChooser::decide(const Site& site) {
    if (const Choice* sticky = repeat_sticky(site)) {
        return sticky;
    }
    if (made_.size() >= aim_ || !is_in_scope(site) || !random_.chance(rate_)) {
        return nullptr;
    }
    const Choice* choice = pick(site);
    if (choice == nullptr) {
        return nullptr;
    }
    const bool sticky = may_be_sticky(site.aspect) && random_.chance(options_.sticky_percent);
    cancels_ += cancels_in(*choice);
    crashes_ += std::holds_alternative<Crash>(*choice) ? 1 : 0;
    any_sticky_ = any_sticky_ || sticky;
    made_.reserve(aim_);
    made_.push_back({site, *choice, sticky});
    const Choice* result = hand_out(site, made_.size() - 1);
    quiet_ = made_.size() >= aim_ && !any_sticky_;
    return result;
}

const Choice* RandomChooser::repeat_sticky(const Site& site) {
    if (!any_sticky_) {
        return nullptr;
    }
    for (std::size_t i = 0; i < made_.size(); ++i) {
        if (made_[i].sticky && made_[i].site.series() == site.series()) {
            return hand_out(site, i);
        }
    }
    return nullptr;
}

bool RandomChooser::allowed(const Choice& choice) const {
    const bool crash = std::holds_alternative<Crash>(choice);
    return (kinds_ & bit(kind_index(choice))) != 0 &&
           cancels_ + cancels_in(choice) <= options_.max_cancels &&
           (!crash || crashes_ < options_.max_crashes);
}

/// One of the allowed choices: first the kind, then one of it, so that a kind with many variants
/// (statuses, durations) does not crowd out the others.
const Choice* RandomChooser::pick(const Site& site) {
    std::vector<std::size_t> kinds;
    std::vector<const Choice*> choices;
    for (const Choice& choice : alphabet(site.operation, site.aspect)) {
        if (allowed(choice)) {
            choices.push_back(&choice);
            if (kinds.empty() || kinds.back() != kind_index(choice)) {
                kinds.push_back(kind_index(choice));
            }
        }
    }
    if (choices.empty()) {
        return nullptr;
    }
    const auto kind = kinds[random_.below(static_cast<std::uint32_t>(kinds.size()))];
    std::erase_if(choices, [kind](const Choice* c) { return kind_index(*c) != kind; });
    return choices[random_.below(static_cast<std::uint32_t>(choices.size()))];
}

const Choice* RandomChooser::hand_out(const Site& site, std::size_t entry) {
    taken_.push_back({site, entry});
    return &made_[entry].choice;
}

Plan RandomChooser::plan(const Names& names) const {
    std::vector<PlanEntry> entries;
    for (const Made& made : made_) {
        entries.push_back({spell_out(made.site, names), made.choice, made.sticky});
    }
    return Plan(std::move(entries));
}

}  // namespace drydock::faults
