#include "story/teller.hpp"

#include <drydock/sim/sandbox.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace drydock::reports {

using sim::Event;
using sim::EventKind;

namespace {

std::string ordinal(std::uint64_t n) {
    const bool is_teen = n % 100 / 10 == 1;
    const std::string_view suffix = is_teen       ? "th"
                                    : n % 10 == 1 ? "st"
                                    : n % 10 == 2 ? "nd"
                                    : n % 10 == 3 ? "rd"
                                                  : "th";
    return fmt::format("{}{}", n, suffix);
}

}  // namespace

std::string broken_text(const faults::Violation& violation) {
    return fmt::format("from here on {} is BROKEN for {}", violation.invariant, violation.subject);
}

Teller::Teller(const scenarios::Scenario& scenario, const scenarios::RunReport& run)
    : run_(run),
      names_(scenarios::names_of(scenario)),
      rows_(run.outcome.plan, names_),
      now_(scenario, run.truth, names_) {
    for (const faults::Violation& violation : run.outcome.violations) {
        if (violation.since) violations_.emplace(*violation.since, &violation);
    }
}

std::vector<Sentence> Teller::tell() {
    for (const Event& event : run_.trace) {
        add_violations_until(event.at);
        take(event);
    }
    add_violations_until(scenarios::forever);
    return std::move(sentences_);
}

// A rule is broken from a moment on: what else happened at that instant is told first.
void Teller::add_violations_until(Time at) {
    while (!violations_.empty() && violations_.begin()->first < at) {
        const auto [since, broken] = *violations_.begin();
        violations_.erase(violations_.begin());
        std::string text = broken_text(*broken) + why(*broken);
        const bool is_told = !sentences_.empty() && sentences_.back().text == text;
        if (!is_told) sentences_.push_back({since, std::move(text), true});
    }
}

std::string Teller::why(const faults::Violation& broken) const {
    if (broken.invariant != "no_leak") return "";
    for (const sim::SandboxTruth& truth : run_.truth) {
        const bool is_it = broken.subject.starts_with(sandbox(truth.number) + " of ");
        if (!is_it || !now_.is_unaccounted(truth.number)) continue;
        return fmt::format(
            ": nothing accounts for {} any more: nobody holds it, no call is at "
            "work on its lease, no ledger row names it",
            sandbox(truth.number));
    }
    return "";
}

void Teller::take(const Event& event) {
    if (event.kind == EventKind::call_ended) {
        ending_ = now_.call(event.process, event.subject);
        is_idle_end_ = now_.is_idle_end(event.process, event.subject);
    }
    if (event.kind == EventKind::process_crashed || event.kind == EventKind::process_ended) {
        const std::string calls = now_.calls(event.process, 0);
        const std::string steps = now_.under_way(event.process, 0);
        const std::string owned = now_.possessions(event.process, 0, just_born());
        ending_ = calls.empty() ? "" : "; " + calls;
        if (!steps.empty()) ending_ += "; cut off: " + steps;
        const bool is_crash = event.kind == EventKind::process_crashed;
        if (is_crash && !owned.empty()) ending_ += "; " + owned;
    }
    now_.take(event);
    switch (event.kind) {
        case EventKind::started:
        case EventKind::completed:
        case EventKind::arrived:
        case EventKind::applied:
        case EventKind::answered:
        case EventKind::abandoned:
        case EventKind::exchange_read:
        case EventKind::ledger_written:
        case EventKind::struck: return take_seam(event);
        case EventKind::born:
        case EventKind::state_changed:
        case EventKind::removal_begun:
        case EventKind::removal_failed:
        case EventKind::gone: return take_engine(event);
        case EventKind::call_begun:
        case EventKind::call_struck:
        case EventKind::call_ended:
        case EventKind::sandbox_named: return take_call(event);
        default: return take_process(event);
    }
}

// Of one sandbox, as long as it lives, the same may happen again and again.
void Teller::take_engine(const Event& event) {
    const std::size_t before = sentences_.size();
    engine_did(event);
    if (sentences_.size() == before) return;
    Sentence& said = sentences_.back();
    said.flow = flow_of_sandbox(event.subject);
    said.is_routine = event.kind != EventKind::born && event.kind != EventKind::gone;
}

void Teller::engine_did(const Event& event) {
    const std::string which = sandbox(event.subject);
    switch (event.kind) {
        case EventKind::born: return born(event);
        case EventKind::removal_begun: {
            const std::string holders = now_.holders_of(event.subject);
            const std::string held = holders.empty() ? "" : ", which " + holders + " still holds";
            return say(event, fmt::format("the engine begins to remove {}{}", which, held),
                       !held.empty());
        }
        case EventKind::removal_failed:
            return say(event, fmt::format("the engine could not remove {}", which), true);
        case EventKind::gone: return say(event, fmt::format("{} is gone", which));
        default: break;
    }
    const auto status = static_cast<sim::Status>(event.value);
    if (sim::is_changing(status) || status == sim::Status::created) return;
    say(event, fmt::format("{} is {}", which, sim::name(status)));
}

void Teller::born(const Event& event) {
    Exchange* const maker = maker_of(event);
    const std::string late =
        maker != nullptr && maker->is_late ? fmt::format(", made by the late {}", maker->name) : "";
    say(event, fmt::format("{} now exists{}", introduced(event.subject), late));
    if (maker != nullptr) maker->sandbox = event.subject;
    born_ = event.subject;
    born_told_ = sentences_.size();
}

// The create takes effect at the same instant, right behind it in the trace.
Teller::Exchange* Teller::maker_of(const Event& born) {
    const Event* const end = run_.trace.data() + run_.trace.size();
    const Event* const applied = std::find_if(&born, end, [&](const Event& event) {
        const bool is_create =
            static_cast<Operation>(event.operation) == Operation::container_create;
        return event.at != born.at || (event.kind == EventKind::applied && is_create);
    });
    if (applied == end || applied->at != born.at) return nullptr;
    const auto create = exchanges_.find(site_of(*applied).key());
    return create == exchanges_.end() ? nullptr : &create->second;
}

// After a restart there is no public call that could tell it.
std::string Teller::recovery_end(const Event& event) const {
    if (event.value == 1 || now_.has_sent(event.process)) return "";
    const std::string open = now_.obligations(event.process, 0);
    return "; recovery sent nothing: " + (open.empty() ? "its ledger has no open row" : open);
}

void Teller::take_process(const Event& event) {
    const std::string owned = now_.possessions(event.process, 0);
    switch (event.kind) {
        case EventKind::process_started:
            if (event.value == 1) return;
            return say(event,
                       fmt::format("{} starts again (its {} start) and recovers{}", process(event),
                                   ordinal(event.value), owned.empty() ? "" : "; " + owned));
        case EventKind::process_crashed:
            return say(event, fmt::format("{} CRASHES{}", process(event), ending_), true);
        case EventKind::process_ended:
            return say(event, fmt::format("{} ends{}{}{}", process(event), ending_,
                                          recovery_end(event), left(event.process, 0, "")));
        case EventKind::faults_stopped:
            faults_are_on_ = false;
            return say(event, "the faults stop: from here on only recovery goes on");
        default: return;
    }
}

void Teller::say(const Event& event, std::string text, bool is_decisive) {
    sentences_.push_back({.at = event.at,
                          .text = std::move(text),
                          .is_decisive = is_decisive,
                          .flow = flow_of(event)});
}

void Teller::say_of(const Event& event, std::string text, bool is_decisive) {
    const faults::Site site = site_of(event);
    say(event, std::move(text), is_decisive);
    const bool is_chosen = faults_are_on_ && rows_.has_choice(site);
    Sentence& said = sentences_.back();
    said.is_routine = is_chosen ? rows_.only_repeats(site) : !is_decisive;
    if (said.flow.empty()) said.flow = process(event) + "[-]";
}

std::string Teller::left(std::uint8_t process, std::uint32_t lease,
                         std::string_view believed) const {
    const std::string left = now_.left_over(process, lease);
    return left.empty() ? "" : fmt::format("{}; there still is {}", believed, left);
}

faults::Site Teller::site_of(const Event& event) {
    return {.process = event.process,
            .lease = event.lease,
            .operation = static_cast<Operation>(event.operation),
            .n = event.n};
}

std::string Teller::flow_of(const Event& event) const {
    if (event.lease == 0) return "";
    return fmt::format("{}[{}]", names_.process_name(event.process),
                       faults::encode_lease(names_.lease_key(event.lease)));
}

std::string Teller::flow_of_sandbox(std::uint32_t number) const {
    const bool is_known = number > 0 && number <= run_.truth.size();
    if (!is_known || run_.truth[number - 1].owner.empty()) return sandbox(number);
    const sim::SandboxTruth& truth = run_.truth[number - 1];
    return fmt::format("{}[{}]", truth.owner, faults::encode_lease(truth.lease));
}

std::string Teller::operation(const Event& event) const {
    const auto word = drydock::name(static_cast<Operation>(event.operation));
    if (event.lease == 0) return fmt::format("{}#{}", word, event.n);
    return fmt::format("{}#{} for {}", word, event.n, names_.lease_key(event.lease));
}

std::string Teller::process(const Event& event) const { return names_.process_name(event.process); }

std::string Teller::introduced(std::uint32_t number) const {
    if (number == 0 || number > run_.truth.size()) return sandbox(number);
    const sim::SandboxTruth& truth = run_.truth[number - 1];
    if (truth.owner.empty()) return fmt::format("sandbox {} (nobody's)", number);
    return fmt::format("sandbox {} ({}[{}], attempt {})", number, truth.owner,
                       faults::encode_lease(truth.lease), truth.attempt);
}

std::string Teller::sandbox(std::uint32_t number) const {
    return number == 0 ? "a sandbox of others" : fmt::format("sandbox {}", number);
}

}  // namespace drydock::reports
