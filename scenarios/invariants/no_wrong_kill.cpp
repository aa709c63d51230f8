#include "invariants/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

// Why removing it then was wrong, or empty.
std::string_view wrong_because(const SandboxLife& life, const RemovalSent& removal) {
    if (removal.process != life.process) return "it belongs to another owner";
    const Time at = removal.span.from;
    for (const Span& held : life.held) {
        if (held.contains(at)) return "it was held";
        if (held.from > at) return "it was in a flight that handed it out afterwards";
    }
    return {};
}

}  // namespace

void check_no_wrong_kill(const Judged& judged, Violations& violations) {
    for (const SandboxLife& life : judged.history.sandboxes) {
        for (const RemovalSent& removal : life.removals) {
            const std::string_view why = wrong_because(life, removal);
            if (why.empty()) continue;
            violations.push_back({"no_wrong_kill", describe(judged.history, life),
                                  fmt::format("{} sent its removal at {}, but {}",
                                              judged.history.names->process_name(removal.process),
                                              at_time(removal.span.from), why),
                                  removal.span.from});
        }
    }
}

}  // namespace drydock::scenarios
