#include "runner/job_accounts.hpp"

#include "runner/subject.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace drydock::scenarios {

namespace {

using Processes = std::deque<ProcessRun>;

/// Calls `visit(process, script, run)` for each step.
template <class Visit>
void each_step(const Processes& processes, Visit visit) {
    for (const ProcessRun& process : processes) {
        for (const ActorRun& actor : process.actors()) {
            for (std::size_t i = 0; i < actor.steps().size(); ++i)
                visit(process, actor.script().steps[i], actor.steps()[i]);
        }
    }
}

std::string reported_by(const ActorRun::StepRun& step) {
    if (!step.job) return fmt::format("error:{}", name(step.error->kind()));
    if (!step.job->has_begun) return "not begun";
    if (step.job->exit_code) return fmt::format("code {}", *step.job->exit_code);
    return step.job->is_killed ? "killed" : "unknown";
}

/// The jobs of a run, as they are mentioned.
class Accounts {
public:
    explicit Accounts(const History& history) : history_(history) {}

    void add(const ProcessRun& process, const ActorStep& script, const ActorRun::StepRun& step) {
        if (job_of(script).empty()) return;
        Account& account = account_of(process, script);
        const bool says_something = step.job || step.status == ActorRun::Status::failed;
        if (!says_something || step.ended < account.said) return;
        account.said = step.ended;
        account.outcome.reported = reported_by(step);
        if (!step.job || !step.job->is_whole) return;
        account.outcome.out.reported = step.job->out.size();
        account.outcome.err.reported = step.job->err.size();
    }

    void add(const sim::ProcessTruth& truth) {
        const SandboxLife* life = history_.find(truth.sandbox);
        if (!truth.begins_job || !life) return;
        for (Account& account : accounts_) {
            const bool is_it = account.process == life->process && account.lease == life->lease &&
                               account.outcome.job == truth.job;
            if (!is_it) continue;
            JobOutcome& outcome = account.outcome;
            ++outcome.runs;
            outcome.exit_code = truth.has_ended ? std::optional(truth.exit_code) : std::nullopt;
            outcome.out.written = truth.out;
            outcome.err.written = truth.err;
        }
    }

    std::vector<JobOutcome> outcomes() {
        std::vector<JobOutcome> outcomes;
        outcomes.reserve(accounts_.size());
        for (Account& account : accounts_)
            outcomes.push_back(std::move(account.outcome));
        return outcomes;
    }

private:
    struct Account {
        std::uint8_t process = 0;
        std::uint32_t lease = 0;
        Time said{};
        JobOutcome outcome;
    };

    Account& account_of(const ProcessRun& process, const ActorStep& script) {
        const std::uint8_t id = process.program().id();
        const std::uint32_t lease = history_.names->find_lease(key_of(script)).value_or(0);
        const auto known =
            std::find_if(accounts_.begin(), accounts_.end(), [&](const Account& account) {
                return account.process == id && account.lease == lease &&
                       account.outcome.job == job_of(script);
            });
        if (known != accounts_.end()) return *known;
        accounts_.push_back({.process = id, .lease = lease, .outcome = {}});
        accounts_.back().outcome.lease = history_.lease_name(id, lease);
        accounts_.back().outcome.job = job_of(script);
        return accounts_.back();
    }

    const History& history_;
    std::vector<Account> accounts_;
};

}  // namespace

std::vector<JobClaim> claims_of(const Processes& processes, const faults::Names& names) {
    std::vector<JobClaim> claims;
    each_step(processes, [&](const ProcessRun& process, const ActorStep& script, const auto& step) {
        if (!step.job) return;
        claims.push_back({.process = process.program().id(),
                          .lease = names.find_lease(key_of(script)).value_or(0),
                          .job = job_of(script),
                          .asked = *step.begun,
                          .at = step.ended,
                          .report = &*step.job});
    });
    return claims;
}

std::vector<JobLaunch> launches_of(const Processes& processes, const faults::Names& names) {
    std::vector<JobLaunch> launches;
    each_step(processes, [&](const ProcessRun& process, const ActorStep& script, const auto& step) {
        if (!std::holds_alternative<RunStep>(script) || !step.begun) return;
        launches.push_back({.process = process.program().id(),
                            .lease = names.find_lease(key_of(script)).value_or(0),
                            .job = job_of(script),
                            .asked = *step.begun});
    });
    return launches;
}

std::vector<JobInput> inputs_of(const Processes& processes, const faults::Names& names) {
    std::vector<JobInput> inputs;
    each_step(processes, [&](const ProcessRun& process, const ActorStep& script, const auto& step) {
        const auto* input = std::get_if<StdinStep>(&script);
        const bool has_not_landed = step.error && step.error->landed() == Landed::no;
        if (!input || !step.begun || has_not_landed) return;
        inputs.push_back({.process = process.program().id(),
                          .lease = names.find_lease(input->key).value_or(0),
                          .job = input->job,
                          .text = input->text,
                          .asked = *step.begun});
    });
    return inputs;
}

std::vector<JobKill> kills_of(const Processes& processes, const faults::Names& names) {
    std::vector<JobKill> kills;
    each_step(processes, [&](const ProcessRun& process, const ActorStep& script, const auto&) {
        const auto* run = std::get_if<RunStep>(&script);
        const bool ends_it = std::holds_alternative<KillStep>(script) || (run && run->timeout);
        if (!ends_it) return;
        kills.push_back({.process = process.program().id(),
                         .lease = names.find_lease(key_of(script)).value_or(0),
                         .job = job_of(script)});
    });
    return kills;
}

std::vector<JobOutcome> outcomes_of(const Processes& processes, const History& history,
                                    std::span<const sim::ProcessTruth> truths) {
    Accounts accounts(history);
    each_step(processes, [&](const ProcessRun& process, const ActorStep& script, const auto& step) {
        accounts.add(process, script, step);
    });
    for (const sim::ProcessTruth& truth : truths)
        accounts.add(truth);
    return accounts.outcomes();
}

}  // namespace drydock::scenarios
