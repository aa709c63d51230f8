#include "story/teller.hpp"

#include <fmt/format.h>

namespace drydock::reports {

using scenarios::CallKind;
using sim::Event;
using sim::EventKind;

namespace {

std::uint32_t caller(const Event& event) {
    return std::uint32_t{event.process} << 16 | event.subject;
}

}  // namespace

void Teller::take_call(const Event& event) {
    switch (event.kind) {
        case EventKind::call_begun:
            kinds_[caller(event)] = static_cast<CallKind>(event.detail);
            return say(event, fmt::format("{} calls {}", actor(event), call(event)));
        case EventKind::call_struck:
            return say(event, fmt::format("{} is CANCELLED in {}", actor(event), call(event)));
        case EventKind::sandbox_named: named_ = event.subject; return;
        default: return call_ended(event);
    }
}

void Teller::call_ended(const Event& event) {
    const std::string which = fmt::format("{}: {}", actor(event), call(event));
    if (event.detail != 0) {
        const auto kind = static_cast<ErrorKind>(event.detail - 1);
        say(event, fmt::format("{} fails: {}", which, drydock::name(kind)));
    } else if (named_ != 0) {
        say(event, fmt::format("{} returns {}", which, sandbox(named_)));
    } else {
        say(event, fmt::format("{} returns", which));
    }
    named_ = 0;
}

std::string Teller::actor(const Event& event) const {
    const std::string& name = names_.process_name(event.process);
    for (const scenarios::ProcessScript& script : scenario_.processes) {
        const bool is_its =
            script.name == name && event.subject > 0 && event.subject <= script.actors.size();
        if (is_its) return name + "/" + script.actors[event.subject - 1].name;
    }
    return name;
}

std::string Teller::call(const Event& event) const {
    const auto kind = kinds_.find(caller(event));
    const auto word = kind == kinds_.end() ? "a call" : scenarios::name(kind->second);
    if (event.lease == 0) return std::string(word);
    return fmt::format("{}({})", word, names_.lease_key(event.lease));
}

}  // namespace drydock::reports
