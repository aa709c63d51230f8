#include "support/history_kit.hpp"

#include <gtest/gtest.h>

namespace drydock::test {

using namespace scenarios;

namespace {

// References to what was added stay good while more is added.
constexpr std::size_t room = 64;

}  // namespace

MadeHistory::MadeHistory() {
    names_.process("runner");
    names_.process("other");
    names_.lease("k");
    names_.lease("other");
    history.names = &names_;
    history.sandboxes.reserve(room);
    history.calls.reserve(room);
    history.rows.reserve(room);
    history.steps.reserve(room);
    history.lives = {{runner, {at(0), at(50)}}};
    history.normal_ends = {{runner, at(50)}};
    history.faults_stopped = at(50);
    history.end = at(100);

    add_call(CallKind::acquire, 0, 1);
    add_call(CallKind::release, 41, 42);
    add_row(1, 0.1, 42);
    SandboxLife& life = add_sandbox(0.5, 41.1);
    add_step(Operation::container_start, 0.6, 0.8, 1);
    life.held.push_back({at(1), at(41)});
    remove(life, 41);
}

SandboxLife& MadeHistory::add_sandbox(double from, double to) {
    sim::SandboxTruth truth;
    truth.number = static_cast<std::uint32_t>(truths_.size() + 1);
    truth.attempt = truth.number;
    truth.owner = "runner";
    truth.lease = "k";
    truth.key = "runner/k/1";
    truths_.push_back(truth);
    Step& create = add_step(Operation::container_create, from - 0.1, from + 0.1);
    create.was_applied = true;
    create.was_answered_well = true;
    SandboxLife life;
    life.truth = &truths_.back();
    life.process = runner;
    life.lease = k;
    life.life = {at(from), to < 0 ? forever : at(to)};
    history.sandboxes.push_back(life);
    return history.sandboxes.back();
}

sim::SandboxTruth& MadeHistory::truth_of(const SandboxLife& life) {
    return truths_.at(life.truth->number - 1);
}

Call& MadeHistory::add_call(CallKind kind, double from, double to) {
    Call call;
    call.process = runner;
    call.lease = k;
    call.actor = 1;
    call.kind = kind;
    call.span = {at(from), at(to)};
    call.has_returned = true;
    history.calls.push_back(call);
    return history.calls.back();
}

RowSpan& MadeHistory::add_row(std::uint32_t attempt, double from, double to) {
    history.rows.push_back({runner, k, attempt, {at(from), at(to)}});
    return history.rows.back();
}

Step& MadeHistory::add_step(Operation operation, double from, double to, std::uint32_t subject) {
    Step step;
    const auto n = static_cast<std::uint32_t>(history.steps.size() + 1);
    step.site = {.process = runner, .lease = k, .operation = operation, .n = n};
    step.span = {at(from), at(to)};
    step.subject = subject;
    step.is_completed = true;
    step.has_arrived = true;
    history.steps.push_back(step);
    return history.steps.back();
}

void MadeHistory::remove(SandboxLife& life, double from) {
    Step& step = add_step(Operation::container_remove, from, from + 0.1, life.truth->number);
    step.was_applied = true;
    step.was_answered_well = true;
    life.removals.push_back({step.span, runner});
    life.removal_accepted = at(from);
}

sim::ProcessTruth& MadeHistory::add_job(std::string job, double from, double to) {
    sim::ProcessTruth truth;
    truth.sandbox = sandbox().truth->number;
    truth.job = std::move(job);
    truth.begins_job = true;
    truth.has_ended = true;
    truth.begun = at(from);
    truth.ended = at(to);
    truth.exit_code = 3;
    truth.out = 20;
    return processes.emplace_back(std::move(truth));
}

void MadeHistory::add_claim(std::string_view job, double when, const scenarios::JobReport& report,
                            double asked) {
    claims.push_back({.process = runner,
                      .lease = k,
                      .job = job,
                      .asked = at(asked),
                      .at = at(when),
                      .report = &report});
}

Violations MadeHistory::violations() const {
    return judge({.history = history,
                  .policy = policy,
                  .has_ledger = has_ledger,
                  .is_library = is_library,
                  .expected_held = expected_held,
                  .processes = processes,
                  .claims = claims,
                  .launches = launches,
                  .inputs = inputs,
                  .kills = kills,
                  .is_stuck = is_stuck,
                  .is_endless = is_endless,
                  .waiting = is_stuck ? "runner/main" : ""});
}

std::set<std::string> MadeHistory::broken() const {
    std::set<std::string> names;
    for (const faults::Violation& each : violations()) {
        EXPECT_FALSE(each.subject.empty());
        EXPECT_FALSE(each.story.empty());
        names.insert(each.invariant);
    }
    return names;
}

}  // namespace drydock::test
