#include "invariants/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

bool was_acquiring(const History& history, const SandboxLife& life) {
    return std::any_of(history.calls.begin(), history.calls.end(), [&](const Call& call) {
        const bool is_its = call.process == life.process && call.lease == life.lease;
        return is_its && call.kind == CallKind::acquire && call.span.contains(life.life.from);
    });
}

// An acquire of the lease returned before the first birth (a cancelled create landed after it) or
// between the two, or the process died: the second one is of a later acquisition then, which has a
// key of its own.
bool are_of_one_acquisition(const History& history, const SandboxLife& a, const SandboxLife& b) {
    if (!was_acquiring(history, a)) return false;
    return std::none_of(history.calls.begin(), history.calls.end(), [&](const Call& call) {
        const bool is_its = call.process == a.process && call.lease == a.lease;
        const bool ended_between = call.span.to >= a.life.from && call.span.to <= b.life.from;
        return is_its && call.kind == CallKind::acquire && ended_between;
    });
}

}  // namespace

void check_stable_key(const Judged& judged, Violations& violations) {
    const auto& sandboxes = judged.history.sandboxes;
    for (std::size_t i = 0; i < sandboxes.size(); ++i) {
        if (sandboxes[i].is_late) continue;  // of an acquisition that may be over
        const auto next = std::find_if(sandboxes.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                       sandboxes.end(), [&](const SandboxLife& other) {
                                           return other.process == sandboxes[i].process &&
                                                  other.lease == sandboxes[i].lease &&
                                                  !other.is_late;
                                       });
        if (next == sandboxes.end()) continue;
        const std::string& key = sandboxes[i].truth->key;
        if (key == next->truth->key) continue;
        if (!are_of_one_acquisition(judged.history, sandboxes[i], *next)) continue;
        violations.push_back({"stable_key", describe(judged.history, *next),
                              fmt::format("it shows the key \"{}\", and the attempt before it, of "
                                          "the same acquire, \"{}\"",
                                          next->truth->key, key),
                              next->life.from});
    }
}

}  // namespace drydock::scenarios
