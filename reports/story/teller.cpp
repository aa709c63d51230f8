#include "story/teller.hpp"

#include <drydock/sim/sandbox.hpp>

#include <fmt/format.h>

#include <utility>

namespace drydock::reports {

using sim::Event;
using sim::EventKind;

std::string at_time(Time at) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
    const auto minutes = ms.count() / 60000;
    const double seconds = static_cast<double>(ms.count() % 60000) / 1000.0;
    return minutes > 0 ? fmt::format("{}m {:06.3f}s", minutes, seconds)
                       : fmt::format("{:.3f}s", seconds);
}

Teller::Teller(const scenarios::Scenario& scenario, const scenarios::RunReport& run)
    : scenario_(scenario),
      run_(run),
      names_(scenarios::names_of(scenario)),
      rows_(run.outcome.plan, names_) {}

std::vector<Sentence> Teller::tell() {
    for (const Event& event : run_.trace)
        take(event);
    return std::move(sentences_);
}

void Teller::take(const Event& event) {
    switch (event.kind) {
        case EventKind::started:
        case EventKind::completed:
        case EventKind::arrived:
        case EventKind::applied:
        case EventKind::answered:
        case EventKind::abandoned:
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

void Teller::take_engine(const Event& event) {
    const std::string which = sandbox(event.subject);
    switch (event.kind) {
        case EventKind::born: return say(event, fmt::format("{} now exists", which));
        case EventKind::removal_begun:
            return say(event, fmt::format("the engine begins to remove {}", which));
        case EventKind::removal_failed:
            return say(event, fmt::format("the engine could not remove {}", which));
        case EventKind::gone: return say(event, fmt::format("{} is gone", which));
        default: break;
    }
    const auto status = static_cast<sim::Status>(event.value);
    if (sim::is_changing(status) || status == sim::Status::created) return;
    say(event, fmt::format("{} is {}", which, sim::name(status)));
}

void Teller::take_process(const Event& event) {
    switch (event.kind) {
        case EventKind::process_started:
            if (event.value == 1) return;
            return say(event, fmt::format("{} starts again, its life {}, and recovers",
                                          process(event), event.value));
        case EventKind::process_crashed:
            return say(event, fmt::format("{} CRASHES", process(event)));
        case EventKind::process_ended: return say(event, fmt::format("{} ends", process(event)));
        case EventKind::faults_stopped:
            return say(event, "the faults stop: from here on only recovery goes on");
        default: return;
    }
}

void Teller::say(const Event& event, std::string text) {
    sentences_.push_back({event.at, std::move(text)});
}

faults::Site Teller::site_of(const Event& event) {
    return {.process = event.process,
            .lease = event.lease,
            .operation = static_cast<Operation>(event.operation),
            .n = event.n};
}

std::string Teller::operation(const Event& event) const {
    const auto word = drydock::name(static_cast<Operation>(event.operation));
    if (event.lease == 0) return fmt::format("{}#{}", word, event.n);
    return fmt::format("{}#{} for {}", word, event.n, names_.lease_key(event.lease));
}

std::string Teller::process(const Event& event) const { return names_.process_name(event.process); }

std::string Teller::sandbox(std::uint32_t number) const {
    if (number == 0 || number > run_.truth.size()) return "a sandbox of others";
    const sim::SandboxTruth& truth = run_.truth[number - 1];
    if (truth.owner.empty()) return fmt::format("sandbox {} (nobody's)", number);
    return fmt::format("sandbox {} ({}[{}], attempt {})", number, truth.owner,
                       faults::encode_lease(truth.lease), truth.attempt);
}

}  // namespace drydock::reports
