#include "story/teller.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/ledger.hpp>
#include <drydock/runtime.hpp>

#include <fmt/format.h>

#include <array>

namespace drydock::reports {

using sim::Event;
using sim::EventKind;

namespace {

// A completed exchange's value beyond all statuses: 1000 + TransportFailure::Cause.
constexpr std::uint64_t failure_base = 1000;
constexpr std::array<std::string_view, 6> failures{"is cancelled",
                                                   "finds no connection",
                                                   "gets no connection in time",
                                                   "ends in a broken connection",
                                                   "gets no answer in time",
                                                   "gets an answer that cannot be read"};

constexpr auto cancelled_wake = static_cast<std::uint64_t>(Wake::cancelled);

std::string_view failure(std::uint64_t value) {
    const std::uint64_t cause = value - failure_base;
    return cause < failures.size() ? failures.at(cause) : std::string_view("fails");
}

bool is_told_always(Operation operation) {
    switch (operation) {
        case Operation::backoff:
        case Operation::staging:
        case Operation::bootstrap:
        case Operation::undo:
        case Operation::unstaging: return true;
        default: return false;
    }
}

}  // namespace

void Teller::take_seam(const Event& event) {
    const auto open = exchanges_.find(site_of(event).key());
    Exchange* exchange = open == exchanges_.end() ? nullptr : &open->second;
    switch (event.kind) {
        case EventKind::started: return started(event);
        case EventKind::completed: return completed(event);
        case EventKind::arrived:
            if (exchange != nullptr) exchange->has_arrived = true;
            if (event.detail == 0) return;
            return say(event, fmt::format("{} reaches the engine LATE, {} had given it up",
                                          operation(event), process(event)));
        case EventKind::applied:
            if (exchange != nullptr) exchange->was_applied = true;
            return;
        case EventKind::answered: return answered(event);
        case EventKind::abandoned:
            return say(event,
                       fmt::format("{} of {} may still land", operation(event), process(event)));
        case EventKind::struck:
            if (event.value > 0) return;  // each call that it struck is told
            return say(event, fmt::format("the cancel at {} of {} strikes nobody", operation(event),
                                          process(event)));
        default: break;
    }
    const auto state = static_cast<LedgerRecord::State>(event.value);
    say(event, fmt::format("{}'s ledger has attempt {} of {} as {}", process(event), event.subject,
                           names_.lease_key(event.lease), drydock::name(state)));
}

void Teller::started(const Event& event) {
    const faults::Site site = site_of(event);
    const bool is_chosen = rows_.has_choice(site);
    exchanges_[site.key()] = {.started = event.at, .is_chosen = is_chosen};
    if (!is_chosen) return;
    const std::string_view verb = is_exchange(site.operation) ? "sends" : "begins";
    say(event, fmt::format("{} {} {}; the plan has {} here", process(event), verb, operation(event),
                           rows_.chosen(site)));
}

void Teller::answered(const Event& event) {
    const auto open = exchanges_.find(site_of(event).key());
    if (open == exchanges_.end()) return;
    const Exchange& exchange = open->second;
    if (!exchange.is_chosen) return;
    const bool is_read = static_cast<Operation>(event.operation) == Operation::container_inspect ||
                         static_cast<Operation>(event.operation) == Operation::container_list ||
                         static_cast<Operation>(event.operation) == Operation::late_lookup;
    const std::string_view effect = is_read                ? "reads"
                                    : exchange.was_applied ? "carries out"
                                                           : "does not carry out";
    say(event, fmt::format("the engine {} {} of {} and answers {}", effect, operation(event),
                           process(event), event.value));
}

void Teller::completed(const Event& event) {
    const auto open = exchanges_.find(site_of(event).key());
    if (open == exchanges_.end()) return;
    const Exchange exchange = open->second;
    if (is_exchange(static_cast<Operation>(event.operation))) {
        exchange_completed(event, exchange);
    } else {
        local_completed(event, exchange);
    }
}

void Teller::exchange_completed(const Event& event, const Exchange& exchange) {
    const bool is_answer = event.value < failure_base;
    if (is_answer) {
        return say(event, fmt::format("{}: {} is answered {}", process(event), operation(event),
                                      event.value));
    }
    const bool is_lost = exchange.is_chosen && !exchange.has_arrived;
    say(event, fmt::format("{}: {} {}{}", process(event), operation(event), failure(event.value),
                           is_lost ? "; it has not reached the engine" : ""));
}

void Teller::local_completed(const Event& event, const Exchange& exchange) {
    const auto what = static_cast<Operation>(event.operation);
    if (!exchange.is_chosen && !is_told_always(what)) return;
    const std::string took = faults::format_duration(event.at - exchange.started);
    const bool is_wait = what == Operation::backoff || what == Operation::settle ||
                         what == Operation::late_wait || what == Operation::join ||
                         what == Operation::close;
    const bool is_well = is_wait ? event.value != cancelled_wake : event.value == 0;
    const std::string_view end = is_well ? "is over" : is_wait ? "is cancelled" : "FAILS";
    say(event, fmt::format("{}: {} {} after {}", process(event), operation(event), end, took));
}

}  // namespace drydock::reports
