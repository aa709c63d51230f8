#include "story/operations.hpp"
#include "story/teller.hpp"

#include <drydock/faults/duration.hpp>

#include <fmt/format.h>

#include <array>

namespace drydock::reports {

using sim::Event;

namespace {

// A completed exchange's value beyond all statuses: 1000 + TransportFailure::Cause.
constexpr std::uint64_t failure_base = 1000;
constexpr std::array<std::string_view, 6> failures{"is cancelled",
                                                   "finds no connection",
                                                   "gets no connection in time",
                                                   "ends in a broken connection",
                                                   "gets no answer in time",
                                                   "gets an answer that cannot be read"};

std::string ending(std::uint64_t value, Duration took) {
    if (value < failure_base) return fmt::format("is answered {}", value);
    const std::uint64_t cause = value - failure_base;
    if (cause == static_cast<std::uint64_t>(TransportFailure::Cause::timeout)) {
        return fmt::format("gets no answer within {}", faults::format_duration(took));
    }
    return std::string(cause < failures.size() ? failures.at(cause) : "fails");
}

bool is_success(std::uint64_t value) { return value < 400; }

bool changes_something(Operation operation) {
    return operation == Operation::container_create || operation == Operation::container_start ||
           operation == Operation::container_remove;
}

// What the engine has done, for a change that it applied.
std::string done(Operation operation, std::uint32_t sandbox) {
    const std::string which = sandbox == 0 ? "a sandbox" : fmt::format("sandbox {}", sandbox);
    switch (operation) {
        case Operation::container_create: return "has made " + which;
        case Operation::container_start: return "has started " + which;
        default: return "has accepted to remove " + which;
    }
}

std::string_view loss(faults::Reply::Kind kind) {
    switch (kind) {
        case faults::Reply::Kind::lost: return "the reply is LOST";
        case faults::Reply::Kind::reset: return "the connection BREAKS before the reply is through";
        case faults::Reply::Kind::cut_header: return "the reply is CUT in its head";
        case faults::Reply::Kind::cut_body: return "the reply is CUT in its body";
        case faults::Reply::Kind::stall: return "the reply begins and STALLS";
        default: return "";
    }
}

}  // namespace

// Told where the client will not see this answer: at the moment of the loss.
void Teller::answered(const Event& event, Exchange& exchange) {
    exchange.has_answered = true;
    exchange.existing = now_.sandboxes_of(event.process, event.lease);
    const faults::Fate* fate = fate_at(event);
    if (fate == nullptr || !exchange.is_chosen || exchange.told_in) return;
    const std::string_view lost = loss(fate->reply.kind);
    if (lost.empty()) return;
    const auto what = static_cast<Operation>(event.operation);
    const std::string effect = !changes_something(what) ? "has read what was asked"
                               : exchange.was_applied   ? done(what, exchange.sandbox)
                                                        : "has changed nothing";
    say_of(event,
           fmt::format("the engine {} ({} of {}) and answers {}; {}{}", effect, operation(event),
                       process(event), event.value, lost, standing(event)),
           true);
}

void Teller::exchange_completed(const Event& event, Exchange& exchange) {
    const auto what = static_cast<Operation>(event.operation);
    const std::string end = ending(event.value, event.at - exchange.started) +
                            (is_success(event.value) ? contents(event, exchange) : "");
    std::string text = exchange.is_chosen
                           ? fmt::format("{}: {} {}", process(event), operation(event), end)
                           : fmt::format("{} {} ({}), which {}", process(event),
                                         deed(what, exchange.sandbox), operation(event), end);
    exchange.truth_from = text.size();
    text += truth(event, exchange);
    say_of(event, std::move(text), exchange.is_chosen);
}

// Of a list, what was true when the engine answered: the trace does not know what it showed.
std::string Teller::contents(const Event& event, const Exchange& exchange) const {
    const auto what = static_cast<Operation>(event.operation);
    if (what == Operation::container_list && exchange.has_answered) {
        return fmt::format(" while {} has {}",
                           event.lease == 0 ? process(event) : names_.lease_key(event.lease),
                           exchange.existing.empty() ? "no sandbox" : exchange.existing);
    }
    const std::uint32_t made = exchange.sandbox;
    if (what != Operation::container_create || made == 0) return "";
    return fmt::format(": sandbox {} (attempt {})", made, run_.truth[made - 1].attempt);
}

std::string Teller::truth(const Event& event, const Exchange& exchange) const {
    const auto what = static_cast<Operation>(event.operation);
    const bool is_well = is_success(event.value);
    if (!exchange.is_chosen) {
        // Whoever made it, a create that fails is not a lease without a sandbox.
        const bool may_hide = !is_well && what == Operation::container_create;
        const std::string owned = may_hide ? now_.possessions(event.process, event.lease) : "";
        return owned.empty() ? "" : "; in truth " + owned;
    }
    if (is_well) return does_nothing(event) ? "; in truth the engine did nothing" : "";
    if (!exchange.has_arrived) {
        return exchange.abandoned_in ? "; in truth it is still on its way and may land later"
                                     : "; in truth it has not reached the engine";
    }
    if (!changes_something(what)) {
        const std::string state = now_.state_of(exchange.sandbox);
        if (state.empty()) return "";
        return fmt::format("; in truth {} is {}", sandbox(exchange.sandbox), state);
    }
    if (exchange.was_applied) return "; in truth the engine " + done(what, exchange.sandbox);
    return "; in truth the engine did not do it";
}

// What the adapter lets the process know of a failed change stands before what is true.
void Teller::exchange_read(const Event& event, const Exchange& exchange) {
    const auto what = static_cast<Operation>(event.operation);
    if (!exchange.is_chosen || !exchange.told_in || !changes_something(what)) return;
    const auto landed = static_cast<Landed>(event.value);
    const std::string_view belief = landed == Landed::no    ? "takes it as not done"
                                    : landed == Landed::yes ? "takes it as done"
                                                            : "cannot tell whether it was done";
    std::string& text = sentences_[*exchange.told_in].text;
    text.insert(exchange.truth_from, fmt::format("; {} {}", process(event), belief));
}

const faults::Fate* Teller::fate_at(const Event& event) const {
    const faults::PlanEntry* entry = rows_.at(site_of(event), faults::Aspect::fate);
    return entry == nullptr ? nullptr : std::get_if<faults::Fate>(&entry->choose);
}

bool Teller::does_nothing(const Event& event) const {
    const faults::PlanEntry* entry = rows_.at(site_of(event), faults::Aspect::engine);
    if (entry == nullptr) return false;
    const auto* choice = std::get_if<faults::EngineChoice>(&entry->choose);
    return choice != nullptr && choice->trait == faults::Trait::ack_without_effect;
}

}  // namespace drydock::reports
