#include "runner/bounds.hpp"
#include "runner/expectation.hpp"
#include "runner/job_accounts.hpp"
#include "runner/process_run.hpp"
#include "runner/subject.hpp"

#include <drydock/faults/plan_chooser.hpp>
#include <drydock/faults/witness.hpp>
#include <drydock/scenarios/history.hpp>
#include <drydock/scenarios/invariant.hpp>
#include <drydock/scenarios/run.hpp>

#include <algorithm>
#include <deque>
#include <utility>

namespace drydock::scenarios {

namespace {

// Nothing that a scenario does may take longer with faults on; after it, they stop anyway.
constexpr Duration faults_limit = std::chrono::hours(24);
constexpr Duration liveness_slack = std::chrono::hours(1);

bool has_deadlines(const Scenario& scenario) {
    if (scenario.client.deadline) return true;
    for (const ProcessScript& process : scenario.processes) {
        for (const ActorScript& actor : process.actors) {
            for (const ActorStep& step : actor.steps) {
                const auto* acquire = std::get_if<AcquireStep>(&step);
                if (acquire && acquire->deadline) return true;
            }
        }
    }
    return false;
}

class Runner {
public:
    Runner(const RunRequest& request, faults::Chooser& chooser, faults::Names& names)
        : request_(request),
          chooser_(chooser),
          names_(names),
          bounds_(bounds_of(request.scenario)),
          simulation_(chooser, names, request.backend, options(), request.pool) {
        for (const ProcessScript& script : request.scenario.processes) {
            sim::Program& program = simulation_.add_program(script.name);
            processes_.emplace_back(program, script, request.client, request.scenario);
        }
    }

    RunReport run() {
        for (ProcessRun& process : processes_)
            process.begin();
        with_faults();
        simulation_.stop_faults();
        meet_obligations();
        return report();
    }

private:
    sim::SimulationOptions options() const {
        sim::SimulationOptions options;
        options.late_horizon = request_.scenario.client.late_horizon;
        options.most_operations = bounds_.operations;
        return options;
    }

    bool have_settled() const {
        return std::all_of(processes_.begin(), processes_.end(),
                           [](const ProcessRun& process) { return process.has_settled(); });
    }

    void with_faults() {
        sim::World& world = simulation_.world();
        world.run_until(
            [&] { return have_settled() || world.now() > Time{} + faults_limit || is_endless(); });
    }

    // Only the clients' own recovery runs now; past its deadline whatever still waits is stuck.
    void meet_obligations() {
        const Policy& policy = request_.scenario.client;
        sim::World& world = simulation_.world();
        const Time limit =
            world.now() + policy.late_horizon + policy.teardown_deadline + liveness_slack;
        bool is_over = false;
        while (!is_over) {
            for (ProcessRun& process : processes_) {
                if (owes(process)) process.recover_finally();
            }
            world.run_until([&] { return world.now() > limit || is_endless() || anyone_owes(); });
            is_over = !anyone_owes();
        }
        is_stuck_ = !have_settled() || is_endless();
    }

    // One that ended, now or earlier, and left something to whoever starts it again.
    bool owes(const ProcessRun& process) const {
        return request_.client.has_ledger && !process.has_recovered_finally() &&
               !process.program().is_alive() && process.has_settled() && process.has_obligations();
    }

    bool anyone_owes() const {
        return std::any_of(processes_.begin(), processes_.end(),
                           [this](const ProcessRun& process) { return owes(process); });
    }

    bool is_endless() { return simulation_.world().steps() >= bounds_.steps; }

    bool has_met_a_bound() {
        return is_endless() ||
               std::any_of(processes_.begin(), processes_.end(),
                           [](const auto& process) { return process.program().has_run_away(); });
    }

    std::string waiting() const {
        for (const ProcessRun& process : processes_) {
            if (!process.has_settled()) return process.waiting();
        }
        return is_stuck_ ? "the engine" : "";
    }

    RunReport report() {
        RunReport report;
        const sim::Trace& trace = simulation_.world().trace();
        const auto truth = simulation_.backend().sandboxes();
        report.end = simulation_.world().now();
        report.events = trace.events().size();
        report.outcome.digest = trace.digest();
        report.outcome.plan = chooser_.plan(names_);
        const std::vector<faults::SiteFacts> facts = simulation_.choices().facts();
        report.outcome.inert = faults::inert_entries(report.outcome.plan, chooser_.taken(), facts);
        const History history = read_history(trace, truth, names_, report.end);
        report.outcome.violations = judged(history);
        report.jobs = outcomes_of(processes_, history, simulation_.backend().processes());
        report.sandboxes = history.sandboxes.size();
        for (const SandboxLife& life : history.sandboxes) {
            report.removed += life.life.to == forever ? 0 : 1;
            const bool is_held = !life.held.empty() && life.held.back().to == forever;
            if (is_held) report.held.push_back(history.lease_name(life.process, life.lease));
        }
        for (const ProcessRun& process : processes_)
            add_process(report, process);
        if (request_.keep_trace) {
            report.trace = trace.events();
            report.truth.assign(truth.begin(), truth.end());
        }
        return report;
    }

    Violations judged(const History& history) {
        const std::vector<JobClaim> claims = claims_of(processes_, names_);
        const std::vector<JobLaunch> launches = launches_of(processes_, names_);
        const std::vector<JobInput> inputs = inputs_of(processes_, names_);
        const std::vector<JobKill> kills = kills_of(processes_, names_);
        const Expectation& expect = request_.scenario.expectation_on(request_.backend.name);
        return judge({.history = history,
                      .policy = request_.scenario.client,
                      .has_ledger = request_.client.has_ledger,
                      .is_library = request_.client.name == library_client,
                      .has_deadlines = has_deadlines(request_.scenario),
                      .expected_held = expect.held,
                      .processes = simulation_.backend().processes(),
                      .claims = claims,
                      .launches = launches,
                      .inputs = inputs,
                      .kills = kills,
                      .is_stuck = is_stuck_,
                      .is_endless = has_met_a_bound(),
                      .waiting = waiting()});
    }

    static void add_process(RunReport& report, const ProcessRun& process) {
        for (const ActorRun& actor : process.actors()) {
            for (std::size_t i = 0; i < actor.steps().size(); ++i) {
                const std::string name =
                    process.program().name() + "/" + actor.name() + "#" + std::to_string(i + 1);
                report.steps[name] = told(actor.steps()[i]);
            }
        }
        report.defects.insert(report.defects.end(), process.defects().begin(),
                              process.defects().end());
    }

    static StepReport told(const ActorRun::StepRun& step) {
        switch (step.status) {
            case ActorRun::Status::ok: return {"ok", {}};
            case ActorRun::Status::skipped: return {"skipped", {}};
            case ActorRun::Status::crashed: return {"crashed", {}};
            case ActorRun::Status::pending: return {"unended", {}};
            case ActorRun::Status::failed: break;
        }
        return {"error:" + std::string(name(step.error->kind())), step.error->describe()};
    }

    const RunRequest& request_;
    faults::Chooser& chooser_;
    faults::Names& names_;
    Bounds bounds_;
    sim::Simulation simulation_;
    std::deque<ProcessRun> processes_;
    bool is_stuck_ = false;
};

// For the library a plan must show itself wholly; what a legacy client never comes to is not its
// plan's fault, so that there only a plan without any effect is void.
bool is_void(const RunRequest& request, const faults::Outcome& outcome, bool is_search) {
    const std::size_t chosen = outcome.plan.size();
    if (chosen == 0) return false;
    const bool needs_all = !is_search && request.client.name == library_client;
    return needs_all ? !outcome.inert.empty() : outcome.inert.size() >= chosen;
}

void conclude(RunReport& report) {
    faults::Outcome& outcome = report.outcome;
    if (!outcome.violations.empty()) {
        outcome.verdict = faults::Verdict::violation;
    } else if (!report.unmet.empty() || !report.defects.empty()) {
        outcome.verdict = faults::Verdict::expectation;
    } else if (outcome.is_void) {
        outcome.verdict = faults::Verdict::void_;
    }
}

}  // namespace

faults::Names names_of(const Scenario& scenario) {
    faults::Names names;
    for (const ProcessScript& process : scenario.processes) {
        names.process(process.name);
        for (const ActorScript& actor : process.actors) {
            for (const ActorStep& step : actor.steps) {
                const std::string_view key = key_of(step);
                if (!key.empty()) names.lease(key);
            }
        }
    }
    return names;
}

RunReport run(const RunRequest& request, faults::Chooser& chooser, faults::Names& names) {
    RunReport report = Runner(request, chooser, names).run();
    report.outcome.is_void = is_void(request, report.outcome, true);
    conclude(report);
    return report;
}

RunReport run_plan(const RunRequest& request, const faults::Plan& plan, bool with_expectations) {
    faults::Names names = names_of(request.scenario);
    faults::PlanChooser chooser(plan, names);
    RunReport report = Runner(request, chooser, names).run();
    report.outcome.unknown_sites = chooser.unknown_sites();
    report.outcome.is_void = is_void(request, report.outcome, false);
    if (with_expectations) {
        const Expectation& expect = request.scenario.expectation_on(request.backend.name);
        report.unmet = unmet_expectations(expect, report);
    }
    conclude(report);
    return report;
}

}  // namespace drydock::scenarios
