#pragma once

#include "story/plan_rows.hpp"
#include "story/whereabouts.hpp"

#include <drydock/scenarios/history.hpp>
#include <drydock/scenarios/search.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace drydock::reports {

/// One sentence of a story.
struct Sentence {
    Time at{};
    std::string text;
    bool is_decisive = false;  ///< it alone says much of what went wrong
    bool is_routine = false;   ///< if it was told just now, it need not be told again
    std::string flow{};        ///< "runner[scan-1]": what it is part of; empty for none
};

/// The sentence on that, or its beginning.
std::string broken_text(const faults::Violation& violation);

/// Turns a run's events, one after the other, into sentences. What goes as always is told shortly;
/// where the plan chose something, it is told what the process saw of it and what was true.
class Teller {
public:
    Teller(const scenarios::Scenario& scenario, const scenarios::RunReport& run);

    std::vector<Sentence> tell();

    /// After the telling: what exists in the end.
    std::vector<std::string> existing() const { return now_.existing(); }

private:
    /// What is known of an exchange or local operation.
    struct Exchange {
        Time started{};
        std::string name{};         ///< "container_create#1"
        std::uint32_t sandbox = 0;  ///< that it addressed, or made
        bool has_arrived = false;
        bool is_late = false;  ///< it arrived when it had been given up
        bool was_applied = false;
        bool has_answered = false;
        std::string existing{};  ///< the lease's sandboxes when the engine answered
        bool is_chosen = false;
        std::optional<std::size_t> abandoned_in{};  ///< the sentence that it may still land
        std::optional<std::size_t> told_in{};       ///< the sentence of its end
        std::size_t truth_from = 0;                 ///< where in it the truth is told
    };

    void take(const sim::Event& event);
    void take_seam(const sim::Event& event);
    void take_engine(const sim::Event& event);
    void engine_did(const sim::Event& event);
    void take_call(const sim::Event& event);
    void take_process(const sim::Event& event);
    void add_violations_until(Time at);

    void started(const sim::Event& event);
    void answered(const sim::Event& event, Exchange& exchange);
    void completed(const sim::Event& event, Exchange& exchange);
    void exchange_completed(const sim::Event& event, Exchange& exchange);
    void local_completed(const sim::Event& event, const Exchange& exchange);
    void exchange_read(const sim::Event& event, const Exchange& exchange);
    void ledger_written(const sim::Event& event);
    void call_struck(const sim::Event& event);
    void call_ended(const sim::Event& event);
    void born(const sim::Event& event);
    /// The create that made what is born now; null where no request did.
    Exchange* maker_of(const sim::Event& born);
    /// The sandbox whose birth was told last of all, else 0.
    std::uint32_t just_born() const { return born_told_ == sentences_.size() ? born_ : 0; }
    std::string recovery_end(const sim::Event& event) const;
    /// Why a sandbox that leaks does so from this moment on.
    std::string why(const faults::Violation& broken) const;

    /// A sentence that is told in any case.
    void say(const sim::Event& event, std::string text, bool is_decisive = false);
    /// One of an operation: the plan's own choices are told in any case, what a repeated one does
    /// from its second time on, and what goes as always, may be told once for all.
    void say_of(const sim::Event& event, std::string text, bool is_decisive = false);
    /// "; but sandbox 1 (running), on no record, is left", if one is.
    std::string left(std::uint8_t process, std::uint32_t lease, std::string_view believed) const;
    /// ": sandbox 1 (attempt 2)", what a success is about.
    std::string contents(const sim::Event& event, const Exchange& exchange) const;
    /// What the engine did in truth, where the answer does not say it.
    std::string truth(const sim::Event& event, const Exchange& exchange) const;
    /// " (runner/main is in acquire(scan-1); sandbox 1 is running)".
    std::string standing(const sim::Event& event) const;
    const faults::Fate* fate_at(const sim::Event& event) const;
    bool does_nothing(const sim::Event& event) const;

    static faults::Site site_of(const sim::Event& event);
    /// "runner[scan-1]".
    std::string flow_of(const sim::Event& event) const;
    std::string flow_of_sandbox(std::uint32_t number) const;
    /// "container_start#1 for scan-1".
    std::string operation(const sim::Event& event) const;
    std::string process(const sim::Event& event) const;
    /// "sandbox 1 (runner[scan-1], attempt 1)".
    std::string introduced(std::uint32_t number) const;
    std::string sandbox(std::uint32_t number) const;

    const scenarios::RunReport& run_;
    faults::Names names_;
    PlanRows rows_;
    Whereabouts now_;
    bool faults_are_on_ = true;
    std::map<std::uint64_t, Exchange> exchanges_;  // by the site's key
    std::uint32_t born_ = 0;                       // the sandbox that was born last
    std::size_t born_told_ = 0;                    // and how many sentences there were then
    std::uint32_t named_ = 0;   // the sandbox that the call which is ending now hands out
    bool is_idle_end_ = false;  // the call that ends now has sent nothing
    std::string ending_;        // what the event that is taken now ends, as it was before
    std::multimap<Time, const faults::Violation*> violations_;  // not told yet
    std::vector<Sentence> sentences_;
};

}  // namespace drydock::reports
