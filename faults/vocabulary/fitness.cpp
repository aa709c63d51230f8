#include <drydock/faults/choice.hpp>
#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <algorithm>

// Which choices fit which sites: one overload per kind of choice.

namespace drydock::faults {
namespace {

using Reason = std::optional<std::string>;

bool is_callers_code(Operation operation) {
    return operation == Operation::staging || operation == Operation::bootstrap ||
           operation == Operation::undo || operation == Operation::unstaging;
}

bool is_lasting(Duration duration) { return duration > Duration{} && duration <= max_duration; }

Aspect aspect_of(const Choice& choice) {
    constexpr Aspect aspects[] = {Aspect::fate,  Aspect::fate,   Aspect::delay,  Aspect::cancel,
                                  Aspect::crash, Aspect::engine, Aspect::stream, Aspect::step};
    return aspects[choice.index()];
}

struct Unfit {
    Operation operation;

    Reason operator()(const Fate& fate) const {
        if (!is_exchange(operation)) {
            return fmt::format("{} is the fate of an exchange, and {} is local",
                               name(kind_of(fate)), name(operation));
        }
        if (fate.answer.kind == Answer::Kind::partial && operation != Operation::container_create) {
            return fmt::format("partial fits container_create only, not {}", name(operation));
        }
        if (fate.arrival == Arrival::twice && may_stream(operation)) {
            return fmt::format("{} may open a stream, and a stream is not opened twice",
                               name(operation));
        }
        return why_illegal(fate);
    }

    Reason operator()(const LocalFate& fate) const {
        const bool ledger = operation == Operation::ledger_put;
        if (fate.kind != LocalFate::Kind::fail) {
            return ledger ? std::nullopt
                          : Reason(fmt::format("{} fits ledger_put only, not {}", name(fate.kind),
                                               name(operation)));
        }
        if (ledger || is_callers_code(operation)) {
            return std::nullopt;
        }
        if (is_exchange(operation)) {
            return fmt::format("fail is the fate of a local operation, and {} is an exchange",
                               name(operation));
        }
        return fmt::format("{} is a wait and cannot fail", name(operation));
    }

    Reason operator()(const Delay& delay) const {
        if (operation == Operation::join || operation == Operation::close ||
            operation == Operation::exec_read) {
            return fmt::format("{} lasts as long as what it waits for; delay that",
                               name(operation));
        }
        return is_lasting(delay.by) ? std::nullopt : Reason("a delay must be longer than 0s");
    }

    Reason operator()(const Cancel& cancel) const {
        if (cancel.strikes.empty() || cancel.strikes.size() > Cancel::max_strikes) {
            return fmt::format("a cancel has 1 to {} moments", Cancel::max_strikes);
        }
        if (!std::is_sorted(cancel.strikes.begin(), cancel.strikes.end(),
                            [](const Strike& a, const Strike& b) { return a.moment < b.moment; })) {
            return "moments stand in the order in which they fall: before, in_flight, "
                   "with_completion";
        }
        return std::nullopt;
    }

    Reason operator()(const Crash&) const { return std::nullopt; }

    Reason operator()(const EngineChoice& choice) const {
        if (!is_exchange(operation)) {
            return fmt::format(
                "an engine choice takes effect when a call reaches the engine, and "
                "{} is local",
                name(operation));
        }
        if (choice.state.has_value() != (choice.trait == Trait::stuck)) {
            return choice.state ? fmt::format("{} has no state", name(choice.trait))
                                : "stuck needs a state, as in stuck(starting)";
        }
        return !choice.lasts || is_lasting(*choice.lasts)
                   ? std::nullopt
                   : Reason("an engine choice lasts longer than 0s");
    }

    Reason operator()(const StreamFault& fault) const {
        if (!may_stream(operation)) {
            return fmt::format("{} is the fault of a stream, and {} opens none", name(fault.kind),
                               name(operation));
        }
        return why_illegal(fault);
    }

    Reason operator()(const StepFault& fault) const {
        if (operation != Operation::guard_step) {
            return fmt::format("{} is the fault of a guard's step, which {} is not",
                               name(fault.kind), name(operation));
        }
        return why_illegal(fault);
    }
};

}  // namespace

std::optional<std::string> why_unfit(const Choice& choice, Aspect aspect, Operation operation) {
    if (aspect != aspect_of(choice)) {
        return fmt::format("{} belongs to a site ending in /{}, not /{}", kind_name(choice),
                           name(aspect_of(choice)), name(aspect));
    }
    if (operation == Operation::guard_step && aspect != Aspect::step) {
        return fmt::format("guard_step is the sandbox's own, and has the aspect step alone, not {}",
                           name(aspect));
    }
    return std::visit(Unfit{operation}, choice);
}

}  // namespace drydock::faults
