#include <drydock/reports/trace.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace drydock::reports {
namespace {

using sim::Event;

// In the order of EventKind.
constexpr std::array<std::string_view, 26> kind_names{"started",
                                                      "completed",
                                                      "arrived",
                                                      "applied",
                                                      "answered",
                                                      "abandoned",
                                                      "born",
                                                      "state_changed",
                                                      "removal_begun",
                                                      "removal_failed",
                                                      "gone",
                                                      "process_started",
                                                      "process_crashed",
                                                      "process_ended",
                                                      "choice_taken",
                                                      "struck",
                                                      "call_begun",
                                                      "call_struck",
                                                      "call_ended",
                                                      "exchange_read",
                                                      "sandbox_named",
                                                      "handle_dropped",
                                                      "ledger_written",
                                                      "faults_stopped",
                                                      "user",
                                                      "unknown"};

// These belong to no process.
bool is_of_engine(sim::EventKind kind) {
    return kind >= sim::EventKind::born && kind <= sim::EventKind::gone;
}

bool are_equal(const Event& a, const Event& b) {
    return a.at == b.at && a.kind == b.kind && a.operation == b.operation && a.detail == b.detail &&
           a.process == b.process && a.lease == b.lease && a.n == b.n && a.subject == b.subject &&
           a.value == b.value;
}

std::string line_or_end(const std::vector<Event>& events, std::size_t i,
                        const faults::Names& names) {
    return i < events.size() ? line_of(events[i], names) : "the end";
}

}  // namespace

std::string_view name(sim::EventKind kind) {
    return kind_names.at(std::min(static_cast<std::size_t>(kind), kind_names.size() - 1));
}

std::string line_of(const Event& event, const faults::Names& names) {
    const auto at = event.at.time_since_epoch().count();
    const std::string what =
        fmt::format("detail={} subject={} value={}", event.detail, event.subject, event.value);
    if (is_of_engine(event.kind)) return fmt::format("{}ns {} {}", at, name(event.kind), what);
    const faults::Site site{.process = event.process,
                            .lease = event.lease,
                            .operation = static_cast<Operation>(event.operation),
                            .n = event.n};
    const std::string key =
        site.lease == 0 ? "-" : faults::encode_lease(names.lease_key(site.lease));
    return fmt::format("{}ns {} {}[{}]/{}#{} {}", at, name(event.kind),
                       names.process_name(site.process), key, drydock::name(site.operation), site.n,
                       what);
}

faults::Names names_in(const scenarios::Scenario& scenario, const faults::Plan& plan) {
    faults::Names names = scenarios::names_of(scenario);
    for (const faults::PlanEntry& entry : plan.entries()) {
        static_cast<void>(faults::intern(entry.at, names));
    }
    return names;
}

std::string trace_text(const scenarios::Scenario& scenario, const scenarios::RunReport& run) {
    const faults::Names names = names_in(scenario, run.outcome.plan);
    std::string text;
    for (const Event& event : run.trace)
        text += line_of(event, names) + "\n";
    return text;
}

std::string first_difference(const scenarios::Scenario& scenario, const scenarios::RunReport& first,
                             const scenarios::RunReport& second) {
    const faults::Names names = names_in(scenario, first.outcome.plan);
    const std::size_t count = std::max(first.trace.size(), second.trace.size());
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_in_both = i < first.trace.size() && i < second.trace.size();
        if (is_in_both && are_equal(first.trace[i], second.trace[i])) continue;
        return fmt::format("event {} was {}, and the second time {}", i + 1,
                           line_or_end(first.trace, i, names), line_or_end(second.trace, i, names));
    }
    return "the digests differ, and no event does";
}

}  // namespace drydock::reports
