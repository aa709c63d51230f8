#include "story/operations.hpp"
#include "story/teller.hpp"

#include <drydock/faults/duration.hpp>
#include <drydock/ledger.hpp>
#include <drydock/runtime.hpp>

#include <fmt/format.h>

namespace drydock::reports {

using sim::Event;
using sim::EventKind;

namespace {

constexpr auto cancelled_wake = static_cast<std::uint64_t>(Wake::cancelled);

std::string_view meaning(LedgerRecord::State state) {
    switch (state) {
        case LedgerRecord::State::intent: return "a create may be sent";
        case LedgerRecord::State::created: return "its sandbox is known by id";
        case LedgerRecord::State::absent: return "no sandbox is known, a create may still land";
        case LedgerRecord::State::closed: return "over, nothing is left";
    }
    return "";
}

}  // namespace

void Teller::take_seam(const Event& event) {
    if (event.kind == EventKind::started) return started(event);
    if (event.kind == EventKind::ledger_written) return ledger_written(event);
    const auto open = exchanges_.find(site_of(event).key());
    if (open == exchanges_.end()) return;
    Exchange& exchange = open->second;
    switch (event.kind) {
        case EventKind::completed: return completed(event, exchange);
        case EventKind::exchange_read: return exchange_read(event, exchange);
        case EventKind::answered: return answered(event, exchange);
        case EventKind::applied: exchange.was_applied = true; return;
        case EventKind::arrived:
            exchange.has_arrived = true;
            exchange.is_late = event.detail != 0;
            if (!exchange.is_late) return;
            return say_of(event,
                          fmt::format("{} reaches the engine LATE, {} had given it up{}",
                                      operation(event), process(event), standing(event)),
                          true);
        case EventKind::abandoned:
            exchange.abandoned_in = sentences_.size();
            return say_of(event,
                          fmt::format("{} of {} may still land", operation(event), process(event)));
        default: break;
    }
    if (event.value > 0) return;  // each call that the cancel struck is told
    say(event,
        fmt::format("the cancel at {} of {} strikes nobody", operation(event), process(event)));
}

void Teller::started(const Event& event) {
    const faults::Site site = site_of(event);
    const bool is_chosen = faults_are_on_ && rows_.has_choice(site);
    exchanges_[site.key()] = {.started = event.at,
                              .name = fmt::format("{}#{}", drydock::name(site.operation), site.n),
                              .sandbox = event.subject,
                              .is_chosen = is_chosen};
    if (!is_chosen) return;
    const faults::Fate* fate = fate_at(event);
    const bool is_lost = fate != nullptr && fate->arrival == faults::Arrival::never &&
                         fate->reply.kind != faults::Reply::Kind::not_sent;
    say_of(event,
           fmt::format("{} {} ({}); the plan: {}{}", process(event),
                       deed(site.operation, event.subject), operation(event), rows_.chosen(site),
                       is_lost ? "; the request is LOST" + standing(event) : ""),
           true);
}

void Teller::completed(const Event& event, Exchange& exchange) {
    // What it may still do is told with its end, if that follows.
    if (exchange.abandoned_in && *exchange.abandoned_in + 1 == sentences_.size()) {
        sentences_.pop_back();
    }
    const std::size_t before = sentences_.size();
    if (is_exchange(static_cast<Operation>(event.operation))) {
        exchange_completed(event, exchange);
    } else {
        local_completed(event, exchange);
    }
    if (sentences_.size() > before) exchange.told_in = before;
}

void Teller::local_completed(const Event& event, const Exchange& exchange) {
    const auto what = static_cast<Operation>(event.operation);
    if (!exchange.is_chosen && !is_told_always(what)) return;
    const bool is_well = is_wait(what) ? event.value != cancelled_wake : event.value == 0;
    const std::string_view end = is_well ? "done" : is_wait(what) ? "cancelled" : "FAILS";
    const std::string took = faults::format_duration(event.at - exchange.started);
    if (exchange.is_chosen) {
        return say_of(event,
                      fmt::format("{}: {} {} after {}", process(event), operation(event),
                                  is_well         ? "is over"
                                  : is_wait(what) ? "is cancelled"
                                                  : "FAILS",
                                  took),
                      !is_well);
    }
    say_of(event, fmt::format("{} {} ({}): {} after {}", process(event), deed(what, 0),
                              operation(event), end, took));
}

void Teller::ledger_written(const Event& event) {
    const auto state = static_cast<LedgerRecord::State>(event.value);
    say(event,
        fmt::format("{} writes down attempt {} of {} as {}: {}", process(event), event.subject,
                    names_.lease_key(event.lease), drydock::name(state), meaning(state)));
}

std::string Teller::standing(const Event& event) const {
    const std::string calls = now_.calls(event.process, event.lease);
    const std::string owned = now_.possessions(event.process, event.lease, just_born());
    if (calls.empty() && owned.empty()) return "";
    return fmt::format(" ({}{}{})", calls, calls.empty() || owned.empty() ? "" : "; ", owned);
}

}  // namespace drydock::reports
