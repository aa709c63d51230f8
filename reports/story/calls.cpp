#include "story/teller.hpp"

#include <fmt/format.h>

namespace drydock::reports {

using sim::Event;
using sim::EventKind;

void Teller::take_call(const Event& event) {
    switch (event.kind) {
        case EventKind::call_begun:
            return say(event, fmt::format("{} calls {}", now_.actor(event.process, event.subject),
                                          now_.call(event.process, event.subject)));
        case EventKind::call_struck: return call_struck(event);
        case EventKind::sandbox_named: named_ = event.subject; return;
        default: return call_ended(event);
    }
}

void Teller::call_struck(const Event& event) {
    const std::string steps = now_.under_way(event.process, event.lease);
    const std::string owned = now_.possessions(event.process, event.lease, just_born());
    say(event,
        fmt::format("{} is CANCELLED in {}{}{}", now_.actor(event.process, event.subject),
                    now_.call(event.process, event.subject), steps.empty() ? "" : ", amid " + steps,
                    owned.empty() ? "" : "; " + owned),
        true);
}

// What the caller is told, and what is true behind its back.
void Teller::call_ended(const Event& event) {
    const std::string which = fmt::format("{}: {}{}", now_.actor(event.process, event.subject),
                                          ending_, is_idle_end_ ? " sends nothing and" : "");
    if (event.detail != 0) {
        const auto kind = static_cast<ErrorKind>(event.detail - 1);
        const bool is_known = kind == ErrorKind::teardown;
        const std::string rest =
            left(event.process, event.lease,
                 is_known ? "" : ", and the caller takes itself to hold nothing");
        say(event, fmt::format("{} fails: {}{}", which, drydock::name(kind), rest), true);
    } else if (named_ != 0) {
        const std::string_view but = now_.state_of(named_).empty() ? ", which is gone already"
                                     : now_.is_under_removal(named_)
                                         ? ", which the engine is removing"
                                         : "";
        say(event, fmt::format("{} returns {}{}", which, sandbox(named_), but), true);
    } else {
        const std::string rest =
            left(event.process, event.lease, is_idle_end_ ? "" : " as if nothing were left");
        say(event, fmt::format("{} returns{}", which, rest), !rest.empty());
    }
    named_ = 0;
}

}  // namespace drydock::reports
