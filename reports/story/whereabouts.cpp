#include "story/whereabouts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace drydock::reports {

using scenarios::CallKind;
using sim::Event;
using sim::EventKind;

namespace {

faults::Site site_of(const Event& event) {
    return {.process = event.process,
            .lease = event.lease,
            .operation = static_cast<Operation>(event.operation),
            .n = event.n};
}

bool is_asked_for(std::uint32_t lease, std::uint32_t asked) { return asked == 0 || lease == asked; }

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    return fmt::format("{}", fmt::join(parts, between));
}

}  // namespace

void Whereabouts::take(const Event& event) {
    switch (event.kind) {
        case EventKind::started: return begin(site_of(event));
        case EventKind::arrived:
        case EventKind::applied: return take_progress(event);
        case EventKind::completed: under_way_.erase(site_of(event).key()); return;
        case EventKind::ledger_written: return take_ledger(event);
        case EventKind::call_begun:
        case EventKind::call_struck:
        case EventKind::call_ended:
        case EventKind::sandbox_named:
        case EventKind::handle_dropped: return take_call(event);
        case EventKind::process_started: senders_.erase(event.process); return;
        case EventKind::process_crashed:
        case EventKind::process_ended: return take_end(event.process);
        default: return take_engine(event);
    }
}

// A caller's own code that was cancelled is over when its process goes on with something else.
void Whereabouts::begin(const faults::Site& site) {
    std::erase_if(under_way_, [&](const auto& each) {
        const Step& step = each.second;
        return step.is_struck && step.site.process == site.process && step.site.lease == site.lease;
    });
    under_way_[site.key()] = {.site = site};
    if (is_exchange(site.operation)) sends(site);
}

void Whereabouts::sends(const faults::Site& site) {
    senders_.insert(site.process);
    for (auto& [who, call] : calls_) {
        if (who.first == site.process && is_asked_for(site.lease, call.lease)) call.has_sent = true;
    }
}

void Whereabouts::take_progress(const Event& event) {
    const auto found = under_way_.find(site_of(event).key());
    if (found == under_way_.end()) return;
    found->second.has_arrived = true;
    if (event.kind == EventKind::applied) found->second.was_applied = true;
}

void Whereabouts::strike(std::uint8_t process, std::uint32_t lease) {
    for (auto& [key, step] : under_way_) {
        const bool is_its = step.site.process == process && step.site.lease == lease;
        const bool is_callers = step.site.operation >= Operation::staging;
        step.is_struck = step.is_struck || (is_its && is_callers);
    }
}

void Whereabouts::take_call(const Event& event) {
    switch (event.kind) {
        case EventKind::call_begun: {
            const auto kind = static_cast<CallKind>(event.detail);
            calls_[{event.process, event.subject}] = {event.lease, kind};
            if (kind == CallKind::release) give_back(event.process, event.subject, event.lease);
            return;
        }
        case EventKind::call_struck: return strike(event.process, event.lease);
        case EventKind::sandbox_named: named_ = event.subject; return;
        case EventKind::handle_dropped:
            for (auto& [number, sandbox] : sandboxes_) {
                if (is_of(sandbox, event.process, event.lease)) sandbox.holders.clear();
            }
            return;
        default: break;
    }
    calls_.erase({event.process, event.subject});
    const auto named = sandboxes_.find(std::exchange(named_, 0));
    if (named != sandboxes_.end()) named->second.holders.push_back(event.subject);
}

void Whereabouts::give_back(std::uint8_t process, std::uint32_t actor, std::uint32_t lease) {
    for (auto& [number, sandbox] : sandboxes_) {
        if (is_of(sandbox, process, lease)) std::erase(sandbox.holders, actor);
    }
}

void Whereabouts::take_engine(const Event& event) {
    if (event.kind == EventKind::born) return born(event.subject);
    const auto found = sandboxes_.find(event.subject);
    if (found == sandboxes_.end()) return;
    switch (event.kind) {
        case EventKind::state_changed:
            found->second.status = static_cast<sim::Status>(event.value);
            return;
        case EventKind::removal_begun: found->second.is_under_removal = true; return;
        case EventKind::removal_failed: found->second.is_under_removal = false; return;
        case EventKind::gone: sandboxes_.erase(found); return;
        default: return;
    }
}

void Whereabouts::born(std::uint32_t number) {
    if (number == 0 || number > truth_.size()) return;
    const sim::SandboxTruth& truth = truth_[number - 1];
    const auto process = names_.find_process(truth.owner);
    const auto lease = names_.find_lease(truth.lease);
    if (!process || !lease) return;
    sandboxes_[number] = {.process = *process, .lease = *lease, .attempt = truth.attempt};
}

void Whereabouts::take_ledger(const Event& event) {
    const auto state = static_cast<LedgerRecord::State>(event.value);
    const Row row{event.process, event.lease, event.subject};
    if (state == LedgerRecord::State::closed) {
        rows_.erase(row);
    } else {
        rows_[row] = state;
    }
}

// Its ledger and its sandboxes outlive it.
void Whereabouts::take_end(std::uint8_t process) {
    std::erase_if(calls_, [&](const auto& call) { return call.first.first == process; });
    std::erase_if(under_way_,
                  [&](const auto& each) { return each.second.site.process == process; });
    for (auto& [number, sandbox] : sandboxes_) {
        if (sandbox.process == process) sandbox.holders.clear();
    }
}

std::string Whereabouts::actor(std::uint8_t process, std::uint32_t number) const {
    const std::string& name = names_.process_name(process);
    for (const scenarios::ProcessScript& script : scenario_.processes) {
        const bool is_its = script.name == name && number > 0 && number <= script.actors.size();
        if (is_its) return name + "/" + script.actors[number - 1].name;
    }
    return name;
}

std::string Whereabouts::call(std::uint8_t process, std::uint32_t actor) const {
    const auto found = calls_.find({process, actor});
    if (found == calls_.end()) return "a call";
    const Call& call = found->second;
    if (call.lease == 0) return std::string(scenarios::name(call.kind));
    return fmt::format("{}({})", scenarios::name(call.kind), names_.lease_key(call.lease));
}

std::string Whereabouts::state_of(std::uint32_t sandbox) const {
    const auto found = sandboxes_.find(sandbox);
    return found == sandboxes_.end() ? "" : std::string(sim::name(found->second.status));
}

bool Whereabouts::is_unaccounted(std::uint32_t sandbox) const {
    const auto found = sandboxes_.find(sandbox);
    if (found == sandboxes_.end()) return false;
    const Sandbox& it = found->second;
    return it.holders.empty() && calls(it.process, it.lease).empty() && !is_on_record(it);
}

bool Whereabouts::is_idle_end(std::uint8_t process, std::uint32_t actor) const {
    const auto found = calls_.find({process, actor});
    if (found == calls_.end() || found->second.has_sent) return false;
    return found->second.kind != CallKind::acquire && found->second.kind != CallKind::attach;
}

bool Whereabouts::is_under_removal(std::uint32_t sandbox) const {
    const auto found = sandboxes_.find(sandbox);
    return found != sandboxes_.end() && found->second.is_under_removal;
}

std::string Whereabouts::holders_of(std::uint32_t sandbox) const {
    const auto found = sandboxes_.find(sandbox);
    return found == sandboxes_.end() ? "" : holders_of(found->second);
}

std::string Whereabouts::holders_of(const Sandbox& sandbox) const {
    std::vector<std::string> names;
    for (const std::uint32_t holder : sandbox.holders) {
        std::string name = actor(sandbox.process, holder);
        const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
        if (is_new) names.push_back(std::move(name));
    }
    return joined(names, " and ");
}

std::string Whereabouts::calls(std::uint8_t process, std::uint32_t lease) const {
    std::vector<std::string> calls;
    for (const auto& [who, call_of] : calls_) {
        const bool is_its =
            who.first == process && (call_of.lease == 0 || lease == 0 || call_of.lease == lease);
        if (!is_its) continue;
        calls.push_back(
            fmt::format("{} is in {}", actor(process, who.second), call(process, who.second)));
    }
    return joined(calls, "; ");
}

std::string Whereabouts::under_way(std::uint8_t process, std::uint32_t lease) const {
    std::vector<std::string> steps;
    for (const auto& [key, step] : under_way_) {
        const faults::Site& site = step.site;
        if (site.process != process || !is_asked_for(site.lease, lease)) continue;
        // A call that only waits for another's work has nothing in its own hands.
        if (site.operation == Operation::join || site.operation == Operation::close) continue;
        steps.push_back(fmt::format("{}#{}", drydock::name(site.operation), site.n));
        if (site.lease != 0) steps.back() += " for " + names_.lease_key(site.lease);
        steps.back() += progress_of(step);
    }
    return joined(steps, ", ");
}

// Whoever cut it off cannot know it.
std::string Whereabouts::progress_of(const Step& step) {
    if (!is_exchange(step.site.operation)) return "";
    if (step.was_applied) return " (the engine had accepted it)";
    return step.has_arrived ? " (it had reached the engine)" : " (it had not reached the engine)";
}

std::string Whereabouts::left_over(std::uint8_t process, std::uint32_t lease) const {
    std::vector<std::string> left;
    for (const auto& [number, sandbox] : sandboxes_) {
        const bool is_left = is_of(sandbox, process, lease) && !is_attended(sandbox);
        if (!is_left) continue;
        left.push_back(fmt::format("sandbox {} ({}, {})", number, sim::name(sandbox.status),
                                   record_of(sandbox)));
    }
    return joined(left, ", ");
}

std::vector<std::string> Whereabouts::existing() const {
    std::vector<std::string> told;
    for (const auto& [number, sandbox] : sandboxes_) {
        const std::string end = !sandbox.holders.empty() ? "held by " + holders_of(sandbox)
                                : sandbox.is_under_removal
                                    ? "under removal"
                                    : "held by nobody, " + record_of(sandbox);
        told.push_back(fmt::format("sandbox {} of {}[{}], attempt {}, still exists ({}): {}",
                                   number, names_.process_name(sandbox.process),
                                   faults::encode_lease(names_.lease_key(sandbox.lease)),
                                   sandbox.attempt, sim::name(sandbox.status), end));
    }
    return told;
}

bool Whereabouts::is_of(const Sandbox& sandbox, std::uint8_t process, std::uint32_t lease) const {
    return sandbox.process == process && is_asked_for(sandbox.lease, lease);
}

bool Whereabouts::is_attended(const Sandbox& sandbox) const {
    if (!sandbox.holders.empty() || sandbox.is_under_removal) return true;
    return !calls(sandbox.process, sandbox.lease).empty();
}

bool Whereabouts::is_on_record(const Sandbox& sandbox) const {
    return rows_.contains({sandbox.process, sandbox.lease, sandbox.attempt});
}

std::string Whereabouts::record_of(const Sandbox& sandbox) const {
    const auto row = rows_.find({sandbox.process, sandbox.lease, sandbox.attempt});
    if (row == rows_.end()) return "on no record";
    return fmt::format("in the ledger as {}", drydock::name(row->second));
}

std::string Whereabouts::sandboxes_of(std::uint8_t process, std::uint32_t lease) const {
    std::vector<std::string> told;
    for (const auto& [number, sandbox] : sandboxes_) {
        if (is_of(sandbox, process, lease)) told.push_back(fmt::format("sandbox {}", number));
    }
    return joined(told, " and ");
}

std::string Whereabouts::possessions(std::uint8_t process, std::uint32_t lease,
                                     std::uint32_t fresh) const {
    std::vector<std::string> told;
    for (const auto& [number, sandbox] : sandboxes_) {
        if (number == fresh || !is_of(sandbox, process, lease)) continue;
        const std::string how = !sandbox.holders.empty()   ? "held by " + holders_of(sandbox)
                                : sandbox.is_under_removal ? "under removal"
                                                           : "there";
        told.push_back(
            fmt::format("sandbox {} is {} ({})", number, how, sim::name(sandbox.status)));
    }
    std::string open = obligations(process, lease);
    if (!open.empty()) told.push_back(std::move(open));
    return joined(told, "; ");
}

std::string Whereabouts::obligations(std::uint8_t process, std::uint32_t lease) const {
    std::vector<std::string> told;
    for (const auto& [row, state] : rows_) {
        const auto [owner, of, attempt] = row;
        if (owner != process || !is_asked_for(of, lease)) continue;
        told.push_back(fmt::format("the ledger has attempt {} of {} as {}", attempt,
                                   names_.lease_key(of), drydock::name(state)));
    }
    return joined(told, "; ");
}

}  // namespace drydock::reports
