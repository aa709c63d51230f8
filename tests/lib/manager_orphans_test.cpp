// Creates whose answer never came: after a crash, behind a proxy, and while a manager closes.
#include "support/manager_bed.hpp"

#include <drydock/sim/backends.hpp>
#include <drydock/sim/sleep.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>

#include <string>
#include <utility>

namespace drydock::test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

// A create is on its way when the process dies, and lands 20 s later.
class CrashInCreate : public testing::Test {
protected:
    CrashInCreate() {
        bed.begin_acquire("k");
        bed.run_until([this] { return bed.count(Operation::container_create) >= 1; });
        bed.crash();
        bed.restart();
    }
    ~CrashInCreate() override { EXPECT_EQ(bed.living(), 0U); }
    CrashInCreate(const CrashInCreate&) = delete;
    CrashInCreate& operator=(const CrashInCreate&) = delete;

    void finish() {
        EXPECT_TRUE(bed.run(bed.manager().close({.wait_late = true})));
        EXPECT_THAT(bed.open_rows(), IsEmpty());
        EXPECT_EQ(bed.sandboxes().size(), landed);
        bed.pass(2h);
    }

    ManagerBed bed{{.plan = {{"runner[k]/container_create#1/delay", "20s"}}}};
    std::size_t landed = 1;
};

TEST_F(CrashInCreate, IsMetByRecovery) {
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    finish();
}

TEST_F(CrashInCreate, IsNotForgottenByAnAcquireBeforeRecovery) {
    Result<Lease> lease = bed.acquire("k");
    ASSERT_TRUE(lease);
    EXPECT_TRUE(bed.run(lease->release()));
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    landed = 2;
    finish();
}

TEST_F(CrashInCreate, IsNotForgottenByACleanupBeforeRecovery) {
    EXPECT_TRUE(bed.run(bed.manager().cleanup("k")));
    EXPECT_TRUE(bed.run(bed.manager().recover()));
    finish();
}

TEST_F(CrashInCreate, IsNotForgottenByAnAcquireBesideRecovery) {
    const auto recovery = bed.begin(bed.manager().recover());
    const auto acquire = bed.begin_acquire("k");
    ASSERT_TRUE(bed.run_until([&] { return recovery->has_ended() && acquire->has_ended(); }));
    ASSERT_TRUE(acquire->succeeded());
    EXPECT_TRUE(bed.run(acquire->value().release()));
    landed = 2;
    finish();
}

TEST(ManagerClose, EndsItsWatchesWithIt) {
    Policy policy;
    policy.attempts = 1;
    ManagerBed bed(
        {.plan = {{"runner[k]/container_create#1/fate", "request_lost"}}, .policy = policy});
    EXPECT_FALSE(bed.acquire("k"));
    EXPECT_TRUE(bed.run(bed.manager().close()));
    EXPECT_EQ(bed.open_rows().size(), 1U) << "what may still land is the ledger's";
    EXPECT_THAT(bed.destroy_manager(), IsEmpty());
    const std::size_t before = bed.count(Operation::late_lookup);
    bed.pass(1h);
    EXPECT_EQ(bed.count(Operation::late_lookup), before);
}

// Two late landings, watched in turns, must not keep a closing manager for ever.
TEST(ManagerClose, ReturnsWhileWhatLandedLateCannotBeRemoved) {
    for (const bool wait_late : {false, true}) {
        Policy policy;
        policy.attempts = 1;
        ManagerBed bed({.plan = {{"runner[k]/container_create#1/delay", "70s"},
                                 {"runner[j]/container_create#1/delay", "90s"},
                                 {"runner[k]/container_remove#1/fate", "refused", true},
                                 {"runner[j]/container_remove#1/fate", "refused", true}},
                        .policy = policy});
        EXPECT_FALSE(bed.acquire("k"));
        EXPECT_FALSE(bed.acquire("j"));
        bed.pass(3min);
        const Time called = bed.now();
        const Result<void> closed = bed.run(bed.manager().close({.wait_late = wait_late}));
        ASSERT_FALSE(closed);
        EXPECT_EQ(closed.error().kind(), ErrorKind::teardown);
        const Duration bound = wait_late ? policy.late_horizon + 2 * policy.teardown_deadline
                                         : 2 * policy.teardown_deadline;
        EXPECT_LT(bed.now() - called, bound) << "wait_late " << wait_late;
        EXPECT_EQ(bed.open_rows().size(), 2U);
    }
}

/// Answers a create by itself after a second, while the engine makes the sandbox 20 s later.
class Proxy final : public Transport {
public:
    Proxy(sim::Program& program, int status)
        : direct_(program), program_(program), status_(status) {}

    awaitable<Exchanged> exchange(Tag tag, Request request, Duration limit,
                                  Interrupt interrupt) override {
        const sim::Executor executor = program_.process()->get_executor();
        if (tag.operation == Operation::container_create) {
            if (!std::exchange(has_forwarded_, true)) {
                asio::co_spawn(executor, forward(std::string(tag.lease), std::move(request)),
                               asio::detached);
            }
            co_await sim::async_sleep(executor, 1s, Interrupt::shielded, asio::deferred);
            Response answer{.status = status_, .headers = {}, .body = "gateway"};
            co_return answer;
        }
        Exchanged exchanged = co_await direct_.exchange(tag, std::move(request), limit, interrupt);
        co_return exchanged;
    }
    awaitable<Opened> open(Tag tag, Request request, Duration limit, Interrupt interrupt) override {
        return direct_.open(tag, std::move(request), limit, interrupt);
    }

private:
    // Outlives the exchange, and with it what its tag refers to.
    awaitable<void> forward(std::string key, Request request) {
        const sim::Executor executor = program_.process()->get_executor();
        co_await sim::async_sleep(executor, 20s, Interrupt::shielded, asio::deferred);
        const Tag tag{Operation::container_create, key};
        Exchanged made =
            co_await direct_.exchange(tag, std::move(request), 30s, Interrupt::shielded);
        has_landed = made.has_value();
    }

public:
    bool has_landed = false;

private:
    sim::SimTransport direct_;
    sim::Program& program_;
    int status_;
    bool has_forwarded_ = false;
};

class ProxyAnswers : public testing::TestWithParam<int> {};

// Each of these a proxy says while the engine may still be at it.
TEST_P(ProxyAnswers, AndTheCreateMayStillLand) {
    faults::Names names;
    faults::PlanChooser chooser(faults::Plan(), names);
    sim::BackendRegistry registry;
    sim::register_builtin_backends(registry);
    sim::Simulation simulation(chooser, names, *registry.find("docker"), {});
    sim::Program& program = simulation.add_program("runner");
    program.start();
    {
        sim::SimRuntime runtime(program);
        Proxy proxy(program, GetParam());
        const auto backend = make_docker_backend(proxy, simulation.capabilities());
        const auto ledger = sim::SimLedger::open(program).value();
        Policy policy;
        policy.attempts = 1;
        SandboxManager manager(runtime, *backend, *ledger, policy);
        bool has_ended = false;
        const auto body = [&]() -> awaitable<void> {
            Result<Lease> lease = co_await manager.acquire(request_for("k"));
            EXPECT_FALSE(lease);
            Result<void> closed = co_await manager.close({.wait_late = true});
            EXPECT_TRUE(closed);
            has_ended = true;
        };
        asio::co_spawn(program.process()->get_executor(), body, asio::detached);
        simulation.world().run_until([&] { return has_ended; });
        EXPECT_TRUE(proxy.has_landed);
        ASSERT_EQ(simulation.backend().sandboxes().size(), 1U);
        EXPECT_TRUE(simulation.backend().sandboxes()[0].is_gone);
        program.end();
    }
}

INSTANTIATE_TEST_SUITE_P(Statuses, ProxyAnswers, testing::Values(408, 502, 503, 504));

}  // namespace
}  // namespace drydock::test
