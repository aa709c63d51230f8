#include <drydock/scenarios/history.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>

namespace drydock::scenarios {

namespace {

using sim::EventKind;

class Reader {
public:
    Reader(std::span<const sim::SandboxTruth> truth, const faults::Names& names)
        : truth_(truth), by_number_(truth.size() + 1, npos) {
        history_.names = &names;
    }

    History read(const sim::Trace& trace, Time end) {
        history_.end = end;
        for (const sim::Event& event : trace.events())
            take(event);
        return std::move(history_);
    }

private:
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    void take(const sim::Event& event) {
        switch (event.kind) {
            case EventKind::started: return take_started(event);
            case EventKind::completed: return take_completed(event);
            case EventKind::exchange_read: return take_read(event);
            case EventKind::arrived:
                if (Step* step = step_of(event)) {
                    step->has_arrived = true;
                    step->is_late = event.detail == 1;
                }
                return;
            case EventKind::applied:
                if (Step* step = step_of(event)) take_applied(*step);
                return;
            case EventKind::answered:
                if (Step* step = step_of(event)) step->was_answered_well |= event.value < 400;
                return;
            case EventKind::born: return take_born(event);
            case EventKind::removal_begun: return take_removal_begun(event);
            case EventKind::removal_failed:
                if (SandboxLife* life = life_of(event.subject)) life->removal_accepted.reset();
                return;
            case EventKind::gone:
                if (SandboxLife* life = life_of(event.subject)) life->life.to = event.at;
                return;
            case EventKind::process_started:
                history_.lives.emplace_back(event.process, Span{event.at, forever});
                return;
            case EventKind::process_crashed: return take_death(event);
            case EventKind::process_ended:
                history_.normal_ends.emplace_back(event.process, event.at);
                return take_death(event);
            default: return take_call_event(event);
        }
    }

    void take_call_event(const sim::Event& event) {
        switch (event.kind) {
            case EventKind::call_begun:
                history_.calls.push_back({.process = event.process,
                                          .lease = event.lease,
                                          .actor = event.subject,
                                          .step = event.n,
                                          .kind = static_cast<CallKind>(event.detail),
                                          .span = {event.at, forever},
                                          .deadline = deadline_of(event)});
                return;
            case EventKind::call_ended: return take_call_ended(event);
            case EventKind::call_struck:
                if (Call* call = open_call(event); call && !call->struck) call->struck = event.at;
                return;
            case EventKind::sandbox_named:
                if (SandboxLife* life = life_of(event.subject)) {
                    if (life->held.empty() || life->held.back().to != forever) {
                        life->held.push_back({event.at, forever});
                    }
                }
                return;
            case EventKind::handle_dropped: return drop_held(event.process, event.lease, event.at);
            case EventKind::ledger_written: return take_row(event);
            case EventKind::faults_stopped: history_.faults_stopped = event.at; return;
            default: return;
        }
    }

    // Nothing comes between a birth and the word that the create behind it was applied.
    void take_applied(Step& step) {
        step.was_applied = true;
        if (!last_born_) return;
        history_.sandboxes[*last_born_].is_late =
            step.is_late || step.is_completed || has_died_since(step);
        last_born_.reset();
    }

    static std::optional<Duration> deadline_of(const sim::Event& event) {
        if (event.value == 0) return std::nullopt;
        return Duration(static_cast<Duration::rep>(event.value));
    }

    bool has_died_since(const Step& step) const {
        return std::none_of(history_.lives.begin(), history_.lives.end(), [&](const auto& life) {
            return life.first == step.site.process && life.second.to == forever &&
                   life.second.from <= step.span.from;
        });
    }

    void take_removal_begun(const sim::Event& event) {
        SandboxLife* life = life_of(event.subject);
        if (!life) return;
        life->removal_accepted = event.at;
        life->is_removal_asked = event.value == 0;
    }

    void take_started(const sim::Event& event) {
        Step step{.site = site_of(event), .span = {event.at, forever}, .subject = event.subject};
        history_.steps.push_back(step);
        SandboxLife* life = life_of(event.subject);
        if (life && step.site.operation == Operation::container_remove) {
            life->removals.push_back({.span = {event.at, forever}, .process = event.process});
        }
    }

    void take_completed(const sim::Event& event) {
        Step* step = step_of(event);
        if (!step) return;
        step->span.to = event.at;
        step->value = event.value;
        step->is_completed = true;
        SandboxLife* life = life_of(step->subject);
        if (!life || step->site.operation != Operation::container_remove) return;
        for (RemovalSent& removal : life->removals) {
            if (removal.span.from == step->span.from) removal.span.to = event.at;
        }
    }

    void take_read(const sim::Event& event) {
        Step* step = step_of(event);
        if (!step) return;
        step->read_as = static_cast<ErrorKind>(event.detail - 1);
        step->landed = static_cast<Landed>(event.value);
    }

    void take_born(const sim::Event& event) {
        if (event.subject == 0 || event.subject > truth_.size()) return;
        const sim::SandboxTruth& truth = truth_[event.subject - 1];
        const auto process = history_.names->find_process(truth.owner);
        const auto lease = history_.names->find_lease(truth.lease);
        if (!process || !lease) return;
        by_number_[event.subject] = history_.sandboxes.size();
        last_born_ = history_.sandboxes.size();
        history_.sandboxes.push_back(
            {.truth = &truth, .process = *process, .lease = *lease, .life = {event.at, forever}});
    }

    void take_call_ended(const sim::Event& event) {
        Call* call = open_call(event);
        if (!call) return;
        call->span.to = event.at;
        call->has_returned = true;
        if (event.detail != 0) call->error = static_cast<ErrorKind>(event.detail - 1);
    }

    void take_row(const sim::Event& event) {
        const bool is_open =
            static_cast<LedgerRecord::State>(event.value) != LedgerRecord::State::closed;
        for (RowSpan& row : history_.rows) {
            const bool is_it = row.process == event.process && row.lease == event.lease &&
                               row.attempt == event.subject && row.span.to == forever;
            if (!is_it) continue;
            if (!is_open) row.span.to = event.at;
            return;
        }
        if (!is_open) return;
        history_.rows.push_back({event.process, event.lease, event.subject, {event.at, forever}});
    }

    // What a dead process was doing and holding ends with it.
    void take_death(const sim::Event& event) {
        for (auto& [process, life] : history_.lives) {
            if (process == event.process && life.to == forever) life.to = event.at;
        }
        for (Call& call : history_.calls) {
            if (call.process == event.process && call.span.to == forever) call.span.to = event.at;
        }
        for (SandboxLife& life : history_.sandboxes) {
            if (life.process == event.process) close_held(life, event.at);
        }
    }

    void drop_held(std::uint8_t process, std::uint32_t lease, Time at) {
        for (SandboxLife& life : history_.sandboxes) {
            if (life.process == process && life.lease == lease) close_held(life, at);
        }
    }

    static void close_held(SandboxLife& life, Time at) {
        if (!life.held.empty() && life.held.back().to == forever) life.held.back().to = at;
    }

    static faults::Site site_of(const sim::Event& event) {
        return {.process = event.process,
                .lease = event.lease,
                .operation = static_cast<Operation>(event.operation),
                .n = event.n};
    }

    // Searched from the back: what ends began recently.
    Step* step_of(const sim::Event& event) {
        const faults::Site site = site_of(event);
        for (Step& step : std::views::reverse(history_.steps)) {
            if (step.site == site) return &step;
        }
        return nullptr;
    }

    Call* open_call(const sim::Event& event) {
        for (Call& call : std::views::reverse(history_.calls)) {
            const bool is_it = call.process == event.process && call.actor == event.subject &&
                               call.step == event.n && call.span.to == forever;
            if (is_it) return &call;
        }
        return nullptr;
    }

    SandboxLife* life_of(std::uint32_t number) {
        if (number == 0 || number >= by_number_.size() || by_number_[number] == npos) {
            return nullptr;
        }
        return &history_.sandboxes[by_number_[number]];
    }

    std::span<const sim::SandboxTruth> truth_;
    std::vector<std::size_t> by_number_;
    std::optional<std::size_t> last_born_;  ///< in `sandboxes`, until its create is told
    History history_;
};

constexpr std::array<std::string_view, 11> call_names{"acquire", "release", "cleanup", "attach",
                                                      "close",   "recover", "run",     "start",
                                                      "wait",    "stdin",   "kill"};

}  // namespace

std::string_view name(CallKind kind) { return call_names.at(static_cast<std::size_t>(kind)); }

const SandboxLife* History::find(std::uint32_t number) const {
    const auto found =
        std::find_if(sandboxes.begin(), sandboxes.end(),
                     [number](const SandboxLife& life) { return life.truth->number == number; });
    return found == sandboxes.end() ? nullptr : &*found;
}

std::string History::lease_name(std::uint8_t process, std::uint32_t lease) const {
    const std::string key = lease == 0 ? "-" : faults::encode_lease(names->lease_key(lease));
    return names->process_name(process) + "[" + key + "]";
}

History read_history(const sim::Trace& trace, std::span<const sim::SandboxTruth> truth,
                     const faults::Names& names, Time end) {
    return Reader(truth, names).read(trace, end);
}

bool is_transport_failure(const Step& step) { return step.value >= 1000; }

}  // namespace drydock::scenarios
