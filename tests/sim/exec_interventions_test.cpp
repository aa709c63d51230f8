// A container struck while a program runs in it: what its reader sees, what became of the program,
// and that the plan's choice counts as witnessed.
#include "support/manager_bed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;

/// What one program, that would print for a minute, came to.
struct Seen {
    std::string printed;
    std::optional<Error> failure;  ///< of any call
    std::optional<Time> ended;     ///< the clean end of its output
    std::optional<ExecStatus> status;
    std::optional<Error> forgotten;  ///< of the look at the status
    std::optional<SandboxState> state;
};

class JobBed : public ManagerBed {
public:
    explicit JobBed(std::vector<Fault> plan)
        : ManagerBed({.plan = std::move(plan)}),
          transport_(simulation().programs().front()),
          backend_(make_docker_backend(transport_, simulation().capabilities())) {}

    Seen seen;

    void run_job() {
        const auto call = begin(job());
        run_until([&] { return call->has_ended(); });
    }
    bool is_witnessed() {
        const auto facts = simulation().choices().facts();
        return facts.size() == 1 && facts[0].trait_changed_something;
    }
    const sim::ProcessTruth& process() { return simulation().backend().processes().front(); }

private:
    static CallContext context(Operation operation) {
        return {.tag = {operation, "k"}, .limit = 30s, .interrupt = Interrupt::allowed};
    }

    awaitable<Result<void>> job() {
        SandboxSpec spec;
        spec.image = "bb";
        spec.command = {"sleep", "86400"};
        const Labels labels;
        const CallContext creating = context(Operation::container_create);
        Result<std::string> id = co_await backend_->create(creating, "one", spec, labels);
        if (!id) co_return id.error();
        const CallContext starting = context(Operation::container_start);
        Result<void> started = co_await backend_->start(starting, *id);
        if (!started) co_return started.error();
        Result<void> ran = co_await run(*id);
        if (!ran) seen.failure = ran.error();
        const CallContext looking = context(Operation::container_inspect);
        Result<SandboxInfo> info = co_await backend_->inspect(looking, *id);
        if (info) seen.state = info->state;
        co_return Result<void>();
    }

    awaitable<Result<void>> run(std::string id) {
        ExecSpec spec;
        spec.argv = {"sh", "-c", "echo begun; sleep 60; echo ended"};
        spec.has_output = true;
        const CallContext creating = context(Operation::exec_create);
        Result<std::string> exec = co_await backend_->exec_create(creating, id, spec);
        if (!exec) co_return exec.error();
        const CallContext opening = context(Operation::exec_start);
        auto opened = co_await backend_->exec_open(opening, *exec);
        if (!opened) co_return opened.error();
        while (!seen.ended) {
            CallContext reading = context(Operation::exec_read);
            reading.limit = 2min;
            Result<ExecOutput> output = co_await (*opened)->read(reading);
            if (!output) co_return output.error();
            seen.printed += output->bytes;
            if (output->bytes.empty()) seen.ended = now();
        }
        const CallContext looking = context(Operation::exec_inspect);
        Result<ExecStatus> status = co_await backend_->exec_inspect(looking, *exec);
        if (status) seen.status = *status;
        if (!status) seen.forgotten = status.error();
        co_return Result<void>();
    }

    sim::SimTransport transport_;
    std::unique_ptr<Backend> backend_;
};

TEST(ExecInterventions, WithoutOneItRunsToItsEnd) {
    JobBed bed({});
    bed.run_job();
    EXPECT_EQ(bed.seen.printed, "begun\nended\n");
    EXPECT_EQ(bed.seen.status->exit_code, 0);
    EXPECT_EQ(bed.seen.state, SandboxState::running);
}

struct Struck {
    const char* trait;
    SandboxState state;  ///< right after the job's end
};

void PrintTo(const Struck& struck, std::ostream* out) { *out << struck.trait; }

class StruckInMidJob : public testing::TestWithParam<Struck> {};

TEST_P(StruckInMidJob, EndsTheProgramWithItsContainer) {
    for (const char* at : {"runner[k]/exec_create#1/engine", "runner[k]/exec_start#1/engine"}) {
        JobBed bed({{at, GetParam().trait}});
        bed.run_job();
        EXPECT_TRUE(bed.is_witnessed()) << at;
        EXPECT_NE(bed.seen.printed, "begun\nended\n") << at;
        EXPECT_EQ(bed.seen.state, GetParam().state) << at;
        const bool has_begun = !bed.simulation().backend().processes().empty();
        if (has_begun) {
            EXPECT_TRUE(bed.process().has_ended) << at;
            EXPECT_EQ(bed.process().exit_code, 137) << at;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, StruckInMidJob,
                         testing::Values(Struck{"exit_early", SandboxState::stopped},
                                         Struck{"oom", SandboxState::stopped},
                                         Struck{"daemon_restart", SandboxState::stopped},
                                         Struck{"restart", SandboxState::changing},
                                         Struck{"ttl_expiry(5s)", SandboxState::removing}));

TEST(ExecInterventions, ARestartedContainerRunsAgainWithoutTheJob) {
    JobBed bed({{"runner[k]/exec_start#1/engine", "restart"}});
    bed.run_job();
    EXPECT_EQ(bed.seen.printed, "begun\n");
    EXPECT_EQ(bed.seen.ended, bed.process().ended + 1ms);
    ASSERT_TRUE(bed.seen.status);
    EXPECT_EQ(bed.seen.status->exit_code, 137);
    bed.pass(1min);
    EXPECT_EQ(bed.simulation().backend().processes().size(), 1U);
    EXPECT_EQ(bed.living(), 1U);
}

TEST(ExecInterventions, AStreamFaultLeavesTheProgramRunning) {
    JobBed bed({{"runner[k]/exec_start#1/stream", "reset(3)"}});
    bed.run_job();
    ASSERT_TRUE(bed.seen.failure);
    EXPECT_EQ(bed.seen.failure->kind(), ErrorKind::reset);
    EXPECT_FALSE(bed.process().has_ended);
    bed.pass(2min);
    EXPECT_TRUE(bed.process().has_ended);
    EXPECT_EQ(bed.process().exit_code, 0);
}

}  // namespace
}  // namespace drydock::test
