#pragma once

#include "story/plan_rows.hpp"

#include <drydock/scenarios/history.hpp>
#include <drydock/scenarios/search.hpp>

#include <map>
#include <string>
#include <vector>

namespace drydock::reports {

/// One sentence of a story.
struct Sentence {
    Time at{};
    std::string text;
};

/// "1m 30.000s".
std::string at_time(Time at);

/// Turns a run's events, one after the other, into sentences. What goes as always is told shortly;
/// where the plan chose something, every step of the exchange is told.
class Teller {
public:
    Teller(const scenarios::Scenario& scenario, const scenarios::RunReport& run);

    std::vector<Sentence> tell();

private:
    /// What is known of an exchange under way.
    struct Exchange {
        Time started{};
        bool has_arrived = false;
        bool was_applied = false;
        bool is_chosen = false;
    };

    void take(const sim::Event& event);
    void take_seam(const sim::Event& event);
    void take_engine(const sim::Event& event);
    void take_call(const sim::Event& event);
    void take_process(const sim::Event& event);

    void started(const sim::Event& event);
    void completed(const sim::Event& event);
    void exchange_completed(const sim::Event& event, const Exchange& exchange);
    void local_completed(const sim::Event& event, const Exchange& exchange);
    void answered(const sim::Event& event);
    void call_ended(const sim::Event& event);

    void say(const sim::Event& event, std::string text);

    static faults::Site site_of(const sim::Event& event);
    /// "container_start#1 for scan-1".
    std::string operation(const sim::Event& event) const;
    std::string process(const sim::Event& event) const;
    /// "runner/main".
    std::string actor(const sim::Event& event) const;
    /// "acquire(scan-1)".
    std::string call(const sim::Event& event) const;
    std::string sandbox(std::uint32_t number) const;

    const scenarios::Scenario& scenario_;
    const scenarios::RunReport& run_;
    faults::Names names_;
    PlanRows rows_;
    std::map<std::uint64_t, Exchange> exchanges_;  // by the site's key
    std::uint32_t named_ = 0;  // the sandbox that the call which is ending now hands out
    std::map<std::uint32_t, scenarios::CallKind> kinds_;  // of open calls, by process and actor
    std::vector<Sentence> sentences_;
};

}  // namespace drydock::reports
