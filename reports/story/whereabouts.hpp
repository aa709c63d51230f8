#pragma once

#include <drydock/faults/site.hpp>
#include <drydock/ledger.hpp>
#include <drydock/scenarios/history.hpp>
#include <drydock/scenarios/scenario.hpp>
#include <drydock/sim/sandbox.hpp>

#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace drydock::reports {

/// Who holds what, at the moment that the story has come to: the calls and operations under way,
/// the sandboxes with their holders, and the rows of the ledgers.
class Whereabouts {
public:
    Whereabouts(const scenarios::Scenario& scenario, std::span<const sim::SandboxTruth> truth,
                const faults::Names& names)
        : scenario_(scenario), truth_(truth), names_(names) {}

    void take(const sim::Event& event);

    /// "runner/main".
    std::string actor(std::uint8_t process, std::uint32_t number) const;
    /// "acquire(scan-1)", of the call that this actor is in.
    std::string call(std::uint8_t process, std::uint32_t actor) const;
    /// "running"; empty for a sandbox of others or one that is gone.
    std::string state_of(std::uint32_t sandbox) const;

    // Of a process and one lease, or (0) of all; each is empty for nothing.

    /// "runner/main is in acquire(scan-1)".
    std::string calls(std::uint8_t process, std::uint32_t lease) const;
    /// "container_start#1 for scan-1 (it had not reached the engine)".
    std::string under_way(std::uint8_t process, std::uint32_t lease) const;
    /// "sandbox 1 is held by runner/main (running); the ledger has attempt 1 of scan-1 as created".
    /// Without what only repeats that this sandbox now exists.
    std::string possessions(std::uint8_t process, std::uint32_t lease,
                            std::uint32_t fresh = 0) const;
    /// "the ledger has attempt 1 of scan-1 as created".
    std::string obligations(std::uint8_t process, std::uint32_t lease) const;
    /// "sandbox 1 and sandbox 2", whoever holds them.
    std::string sandboxes_of(std::uint8_t process, std::uint32_t lease) const;
    bool is_under_removal(std::uint32_t sandbox) const;
    /// It exists, and nobody holds it, works on its lease or has it on record.
    bool is_unaccounted(std::uint32_t sandbox) const;
    /// The actor is in a call that ends something, and no request began during it for its lease.
    bool is_idle_end(std::uint8_t process, std::uint32_t actor) const;
    /// A request began since this process was started.
    bool has_sent(std::uint8_t process) const { return senders_.contains(process); }
    /// "runner/main"; empty if nobody holds it.
    std::string holders_of(std::uint32_t sandbox) const;
    /// Sandboxes that no call has to do with, nobody holds and the engine does not remove:
    /// "sandbox 1 (running, on no record)".
    std::string left_over(std::uint8_t process, std::uint32_t lease) const;
    /// All that exist, as full sentences.
    std::vector<std::string> existing() const;

private:
    using Row = std::tuple<std::uint8_t, std::uint32_t, std::uint32_t>;  // process, lease, attempt
    struct Sandbox {
        std::uint8_t process = 0;
        std::uint32_t lease = 0;
        std::uint32_t attempt = 0;
        sim::Status status = sim::Status::created;
        std::vector<std::uint32_t> holders{};  ///< actors
        bool is_under_removal = false;
    };
    struct Call {
        std::uint32_t lease = 0;
        scenarios::CallKind kind{};
        bool has_sent = false;
    };

    struct Step {
        faults::Site site;
        bool has_arrived = false;
        bool was_applied = false;
        bool is_struck = false;  ///< by a cancel, of whose effect there is no event
    };

    void begin(const faults::Site& site);
    void sends(const faults::Site& site);
    void take_progress(const sim::Event& event);
    static std::string progress_of(const Step& step);
    void strike(std::uint8_t process, std::uint32_t lease);
    void born(std::uint32_t number);
    void take_engine(const sim::Event& event);
    void take_call(const sim::Event& event);
    void give_back(std::uint8_t process, std::uint32_t actor, std::uint32_t lease);
    std::string holders_of(const Sandbox& sandbox) const;
    void take_ledger(const sim::Event& event);
    void take_end(std::uint8_t process);
    bool is_of(const Sandbox& sandbox, std::uint8_t process, std::uint32_t lease) const;
    bool is_attended(const Sandbox& sandbox) const;
    bool is_on_record(const Sandbox& sandbox) const;
    std::string record_of(const Sandbox& sandbox) const;

    const scenarios::Scenario& scenario_;
    std::span<const sim::SandboxTruth> truth_;
    const faults::Names& names_;
    std::map<std::uint32_t, Sandbox> sandboxes_;                    // by number; those that exist
    std::map<std::pair<std::uint8_t, std::uint32_t>, Call> calls_;  // by process and actor
    std::map<std::uint64_t, Step> under_way_;                       // by the site's key
    std::set<std::uint8_t> senders_;  // processes that sent a request in this life
    std::uint32_t named_ = 0;         // the sandbox that the call which is ending now hands out
    std::map<Row, LedgerRecord::State> rows_;  // those that are obligations
};

}  // namespace drydock::reports
