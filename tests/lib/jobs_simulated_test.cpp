// Jobs by the real adapter in simulated sandboxes whose guard is modelled: one fault at each site,
// and what is promised whatever happens.
#include "support/job_bed.hpp"

#include <drydock/sim/job_output.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t out_size = 3000;
constexpr std::uint64_t err_size = 20;

JobSpec four_seconds() {
    return {.id = "job",
            .argv = {"drydock-job", "takes=4s", "out=3000", "err=20", "exit=3"},
            .environment = {"A=1"}};
}

/// One job under a plan, to the end of its call.
class SimulatedJob {
public:
    explicit SimulatedJob(std::vector<Fault> plan, JobSpec spec = four_seconds(),
                          Policy policy = {})
        : bed({.plan = std::move(plan), .policy = std::move(policy)}),
          jobs(bed.manager()),
          lease(bed.acquire("k").value()),
          result(bed.run(jobs.run(lease, std::move(spec), got.sink()))) {}

    /// The processes in which the job took effect.
    std::vector<sim::ProcessTruth> begun() {
        std::vector<sim::ProcessTruth> found;
        for (const sim::ProcessTruth& truth : bed.simulation().backend().processes()) {
            if (truth.begins_job) found.push_back(truth);
        }
        return found;
    }

    /// What holds under any fault.
    void expect_truth(const std::string& what) {
        const auto ran = begun();
        EXPECT_LE(ran.size(), 1U) << what << ": it ran twice";
        EXPECT_TRUE(got.is_in_step) << what;
        EXPECT_EQ(got.out, sim::job_output(false, got.out.size())) << what;
        EXPECT_EQ(got.err, sim::job_output(true, got.err.size())) << what;
        if (!result) {
            const bool may_run = !ran.empty() && !ran[0].has_ended;
            if (may_run) {
                EXPECT_EQ(result.error().obligation(), Obligation::remains)
                    << what << ": " << result.error().describe();
            }
            return;
        }
        EXPECT_EQ(result->exit_code.has_value(), result->state == JobState::ended) << what;
        if (result->state == JobState::not_begun) {
            EXPECT_TRUE(ran.empty()) << what;
        }
        if (result->state == JobState::ended) {
            ASSERT_EQ(ran.size(), 1U) << what;
            EXPECT_EQ(ran[0].exit_code, result->exit_code) << what;
        }
        if (!ran.empty()) EXPECT_TRUE(ran[0].has_ended) << what;
        if (!ran.empty() && !result->out.has_gap) EXPECT_EQ(got.out.size(), ran[0].out) << what;
        if (!ran.empty() && !result->err.has_gap) EXPECT_EQ(got.err.size(), ran[0].err) << what;
    }
    /// That nothing showed of the fault.
    void expect_success(const std::string& what) {
        ASSERT_TRUE(result) << what << ": " << result.error().describe();
        EXPECT_EQ(result->state, JobState::ended) << what;
        EXPECT_EQ(result->exit_code, 3) << what;
        EXPECT_EQ(got.out.size(), out_size) << what;
        EXPECT_EQ(got.err.size(), err_size) << what;
        EXPECT_FALSE(result->out.has_gap || result->err.has_gap) << what;
    }

    Collected got;
    ManagerBed bed;
    Jobs jobs;
    Lease lease;
    Result<JobResult> result;
};

std::string site(std::string_view operation, int n, std::string_view aspect) {
    return "runner[k]/" + std::string(operation) + "#" + std::to_string(n) + "/" +
           std::string(aspect);
}

// Nobody can say then how it ended; but it ran, and must not run again.
TEST(SimulatedJobs, OneThatRemovesItsFolderRunsOnce) {
    for (const char* line : {"rm -rf /.drydock/job; exit 3", "echo hi; rm -rf /.drydock/job"}) {
        SimulatedJob job({}, {.id = "job", .argv = {"sh", "-c", line}});
        ASSERT_FALSE(job.result) << line;
        EXPECT_EQ(job.result.error().kind(), ErrorKind::not_found) << line;
        EXPECT_EQ(job.begun().size(), 1U) << line;
        const auto killed = job.bed.run(job.jobs.kill(job.lease, "job"));
        ASSERT_TRUE(killed) << line;
        EXPECT_EQ(killed->state, JobState::ended_unknown) << line;
    }
}

TEST(SimulatedJobs, OneRuns) {
    SimulatedJob job({});
    job.expect_truth("no fault");
    job.expect_success("no fault");
    EXPECT_EQ(job.begun().size(), 1U);
}

TEST(SimulatedJobs, OneFateIsSurvived) {
    for (const char* operation : {"archive_put", "exec_create", "exec_start"}) {
        for (int n = 1; n <= 2; ++n) {
            for (const char* fate :
                 {"refused", "request_lost", "reply_lost", "reset_before", "reset_after",
                  "late(after_timeout)", "status_before(500)", "status_before(503)",
                  "status_after(500)", "status_before(429)", "truncated", "stalled", "slow(10s)"}) {
                const std::string at = site(operation, n, "fate");
                SimulatedJob job({{at, fate}});
                job.expect_truth(at + " " + fate);
                job.expect_success(at + " " + fate);
            }
        }
    }
}

TEST(SimulatedJobs, LateAndRepeatedLaunchesRunItOnce) {
    for (const char* first :
         {"late(after_timeout)", "late(after_retry)", "status_after(503)", "reply_lost"}) {
        for (const char* second : {"late(after_timeout)", "reset_after", "status_after(500)"}) {
            SimulatedJob job(
                {{site("exec_start", 1, "fate"), first}, {site("exec_start", 2, "fate"), second}});
            job.expect_truth(std::string(first) + " " + second);
            job.bed.pass(1h);
            EXPECT_EQ(job.begun().size(), 1U) << first << " " << second;
        }
    }
}

TEST(SimulatedJobs, AnyStreamFaultIsSurvived) {
    const std::vector<std::uint64_t> places = {0, 1, 7, 8, 9, 15, 18, 19, 20, 60, 300, 1000, 2500};
    std::vector<std::string> faults = {"split(1)", "split(7)", "split(100)"};
    for (const std::uint64_t after : places) {
        const std::string at = std::to_string(after);
        for (const char* kind : {"eof", "reset", "stall", "error_text"}) {
            faults.push_back(std::string(kind) + "(" + at + ")");
        }
        for (const char* length : {"1", "5", "8", "13", "40"}) {
            faults.push_back("gap(" + at + ", " + length + ")");
            if (std::stoul(length) <= after) {
                faults.push_back("repeat(" + at + ", " + length + ")");
            }
        }
    }
    for (const std::string& fault : faults) {
        SimulatedJob job({{site("exec_start", 2, "stream"), fault}});
        job.expect_truth(fault);
        job.expect_success(fault);
    }
}

TEST(SimulatedJobs, AStreamThatBreaksEachTimeStillBringsEachByteOnce) {
    for (const char* fault : {"eof(300)", "reset(100)", "gap(200, 9)", "repeat(200, 9)"}) {
        std::vector<Fault> plan;
        for (int n = 2; n < 60; ++n) {
            plan.push_back({site("exec_start", n, "stream"), fault});
        }
        SimulatedJob job(std::move(plan));
        job.expect_truth(fault);
    }
}

TEST(SimulatedJobs, AGuardThatIsKilledAtAnyStepRunsItAtMostOnce) {
    for (const char* kind : {"kill_guard", "kill_child", "kill_all"}) {
        int struck = 0;
        for (int n = 1; n <= 60; ++n) {
            const std::string at = site("guard_step", n, "step");
            SimulatedJob job({{at, kind}});
            job.expect_truth(at + " " + kind);
            struck += job.result && job.result->exit_code == 3 ? 0 : 1;
        }
        EXPECT_GT(struck, 0) << kind << " never changed the outcome";
    }
}

TEST(SimulatedJobs, ATimeoutKillsItAndConfirmsThat) {
    JobSpec spec = four_seconds();
    spec.argv[1] = "takes=1h";
    spec.timeout = 30s;
    for (const char* fate : {"slow(1s)", "reply_lost", "reset_after", "status_before(500)"}) {
        SimulatedJob job({{site("exec_start", 3, "fate"), fate}}, spec);
        job.expect_truth(fate);
        ASSERT_TRUE(job.result) << fate << ": " << job.result.error().describe();
        EXPECT_EQ(job.result->state, JobState::killed) << fate;
        EXPECT_TRUE(job.result->timed_out);
        ASSERT_EQ(job.begun().size(), 1U);
        EXPECT_EQ(job.bed.living(), 1U);
    }
}

TEST(SimulatedJobs, ASandboxThatEndsWithItIsToldFromAnEnd) {
    for (const char* trait : {"oom", "exit_early", "daemon_restart", "ttl_expiry"}) {
        for (const char* operation : {"exec_start", "exec_create"}) {
            for (int n = 1; n <= 2; ++n) {
                const std::string at = site(operation, n, "engine");
                SimulatedJob job({{at, trait}});
                job.expect_truth(at + " " + trait);
            }
        }
    }
}

TEST(SimulatedJobs, AFenceKeepsALateLaunchFromRunning) {
    ManagerBed bed({.plan = {{site("exec_start", 1, "delay"), "20s"}}});
    Jobs jobs(bed.manager());
    const Lease lease = bed.acquire("k").value();
    const auto start = bed.begin(jobs.start(lease, four_seconds()));
    ASSERT_TRUE(bed.run_until([&] { return bed.count(Operation::exec_start) == 1; }));
    bed.cancel(start);
    const auto killed = bed.run(jobs.kill(lease, "job"));
    ASSERT_TRUE(killed) << killed.error().describe();
    EXPECT_EQ(killed->state, JobState::not_begun);
    bed.pass(1h);
    for (const sim::ProcessTruth& truth : bed.simulation().backend().processes()) {
        EXPECT_FALSE(truth.begins_job);
    }
}

TEST(SimulatedJobs, StdinArrivesOnce) {
    ManagerBed bed;
    Jobs jobs(bed.manager());
    const Lease lease = bed.acquire("k").value();
    JobSpec spec{.id = "job", .argv = {"drydock-job", "reads=5", "exit=4"}, .with_stdin = true};
    ASSERT_TRUE(bed.run(jobs.start(lease, spec)));
    EXPECT_TRUE(bed.run(jobs.write_stdin(lease, "job", "he\0")));
    EXPECT_TRUE(bed.run(jobs.write_stdin(lease, "job", "llo")));
    const auto result = bed.run(jobs.wait(lease, "job"));
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->exit_code, 4);
    EXPECT_TRUE(bed.run(jobs.close_stdin(lease, "job")));
    EXPECT_EQ(bed.run(jobs.write_stdin(lease, "job", "x")).error().kind(), ErrorKind::conflict);
}

TEST(SimulatedJobs, AProcessThatCrashedLeavesItsJobToTheNext) {
    ManagerBed bed;
    std::string id;
    {
        Jobs jobs(bed.manager());
        const Lease lease = bed.acquire("k").value();
        id = lease.sandbox().id;
        ASSERT_TRUE(bed.run(jobs.start(lease, four_seconds())));
        bed.crash();
    }
    bed.restart();
    Jobs jobs(bed.manager());
    Lease lease = bed.run(bed.manager().attach(id)).value();
    Collected got;
    const auto result = bed.run(jobs.run(lease, four_seconds(), got.sink()));
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->exit_code, 3);
    EXPECT_EQ(got.out.size(), out_size);
    std::size_t begun = 0;
    for (const sim::ProcessTruth& truth : bed.simulation().backend().processes()) {
        begun += truth.begins_job ? 1U : 0U;
    }
    EXPECT_EQ(begun, 1U);
}

}  // namespace
}  // namespace drydock::test
