#include <drydock/faults/witness.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace drydock::faults {
namespace {

using Facts = const SiteFacts&;
using Predicate = bool (*)(Facts);

/// One row per fate with a short name, in the order of FateKind.
constexpr std::array<Predicate, fate_kind_count - 1> fate_rows{
    /* refused       */ [](Facts f) { return !f.sent && !f.arrived; },
    /* request_lost  */ [](Facts f) { return f.sent && !f.arrived; },
    /* reply_lost    */ [](Facts f) { return f.applied && !f.delivered; },
    /* reset_before  */ [](Facts f) { return !f.arrived && f.saw_reset; },
    /* reset_after   */ [](Facts f) { return f.applied && f.saw_reset; },
    /* late          */ [](Facts f) { return f.arrived_after_giveup; },
    /* duplicated    */ [](Facts f) { return f.second_arrival; },
    /* status_before */ [](Facts f) { return !f.applied && f.delivered; },
    /* status_after  */ [](Facts f) { return f.applied && f.delivered; },
    /* partial       */ [](Facts f) { return f.left_broken && f.delivered; },
    /* truncated     */ [](Facts f) { return f.saw_cut_body; },
    /* cut_header    */ [](Facts f) { return f.saw_cut_header; },
    /* stalled       */ [](Facts f) { return f.applied && f.stalled; },
    /* slow          */ [](Facts f) { return f.waited_longer; },
};

/// A composed fate is witnessed when each of its axes is; in the order of the axes' enumerations.
constexpr std::array<Predicate, 6> arrival_rows{
    /* now           */ [](Facts f) { return f.arrived; },
    /* never         */ [](Facts f) { return !f.arrived; },
    /* after_timeout */ [](Facts f) { return f.arrived_after_giveup; },
    /* after_retry   */ [](Facts f) { return f.arrived_after_giveup; },
    /* after_remove  */ [](Facts f) { return f.arrived_after_giveup; },
    /* twice         */ [](Facts f) { return f.second_arrival; },
};

constexpr std::array<Predicate, 5> answer_rows{
    /* applied */ [](Facts) { return true; },  // or refused by the engine: it went as usual
    /* before  */ [](Facts f) { return !f.applied; },
    /* after   */ [](Facts f) { return f.applied; },
    /* partial */ [](Facts f) { return f.left_broken; },
    /* none    */ [](Facts f) { return !f.applied; },
};

constexpr std::array<Predicate, 8> reply_rows{
    /* ok         */ [](Facts f) { return f.delivered; },
    /* lost       */ [](Facts f) { return !f.delivered; },
    /* reset      */ [](Facts f) { return f.saw_reset; },
    /* cut_header */ [](Facts f) { return f.saw_cut_header; },
    /* cut_body   */ [](Facts f) { return f.saw_cut_body; },
    /* stall      */ [](Facts f) { return f.stalled; },
    /* slow       */ [](Facts f) { return f.waited_longer; },
    /* not_sent   */ [](Facts f) { return !f.sent; },
};

template <std::size_t count, class Enum>
bool row(const std::array<Predicate, count>& rows, Enum index, Facts facts) {
    return rows.at(static_cast<std::size_t>(index))(facts);
}

bool all_struck(const Cancel& cancel, Facts facts) {
    const auto& struck = facts.calls_struck;
    return struck.size() == cancel.strikes.size() &&
           std::all_of(struck.begin(), struck.end(), [](std::uint32_t calls) { return calls > 0; });
}

struct Witness {
    Facts facts;

    bool operator()(const Fate& fate) const {
        if (const FateKind kind = kind_of(fate); kind != FateKind::composed) {
            return row(fate_rows, kind, facts);
        }
        return row(arrival_rows, fate.arrival, facts) &&
               row(answer_rows, fate.answer.kind, facts) && row(reply_rows, fate.reply.kind, facts);
    }

    /// The operation ended as chosen, not otherwise before.
    bool operator()(const LocalFate&) const { return facts.local_failed; }
    /// The added time ran while the client waited.
    bool operator()(const Delay&) const { return facts.waited_longer; }
    /// Each cancellation struck at least one public call that waited at that moment.
    bool operator()(const Cancel& cancel) const { return all_struck(cancel, facts); }
    /// The process was alive.
    bool operator()(const Crash&) const { return facts.crashed_alive; }
    /// An answer or a state differed.
    bool operator()(const EngineChoice&) const { return facts.trait_changed_something; }
    /// What the client read of the stream was not what was sent.
    bool operator()(const StreamFault&) const { return facts.stream_changed; }
    /// There was something to kill, or the step took longer.
    bool operator()(const StepFault&) const { return facts.step_struck; }
};

}  // namespace

bool witnessed(const Choice& choice, const SiteFacts& facts) {
    return facts.reached && std::visit(Witness{facts}, choice);
}

std::vector<std::string> inert_entries(const Plan& plan, std::span<const Taken> taken,
                                       std::span<const SiteFacts> facts) {
    assert(taken.size() == facts.size());
    std::vector<bool> shown(plan.size());
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const std::size_t entry = taken[i].entry;
        shown.at(entry) = shown[entry] || witnessed(plan.entries()[entry].choose, facts[i]);
    }
    std::vector<std::string> inert;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        if (!shown[i]) {
            inert.push_back(to_string(plan.entries()[i].at));
        }
    }
    return inert;
}

}  // namespace drydock::faults
