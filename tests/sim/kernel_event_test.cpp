#include <drydock/sim/process.hpp>
#include <drydock/sim/sim_event.hpp>
#include <drydock/sim/world.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace drydock::sim {
namespace {

using namespace std::chrono_literals;

class KernelEvent : public testing::Test {
protected:
    void wait(SimEvent& awaited, char name, Duration limit = unlimited,
              asio::cancellation_slot slot = {}) {
        auto handler = [this, name](Settled<SimEvent::Woken> how) {
            log += name;
            log += how.wake == Wake::done ? '.' : how.wake == Wake::cancelled ? 'x' : '!';
        };
        awaited.async_wait(process.get_executor(), limit, Interrupt::allowed,
                           asio::bind_cancellation_slot(slot, handler));
    }

    World world;
    Process process{world, 1, "p"};
    SimEvent event;
    std::string log;
};

TEST_F(KernelEvent, WakesAllInOrderButNotBeforeTheSetterEnds) {
    for (const char name : {'a', 'b', 'c'}) {
        wait(event, name);
    }
    world.call_after(process, 1ms, [&] {
        event.set();
        EXPECT_EQ(log, "");
    });
    world.run();
    EXPECT_EQ(log, "a.b.c.");
    EXPECT_EQ(world.now(), Time{1ms});
}

TEST_F(KernelEvent, StaysSetForThoseWhoComeLater) {
    EXPECT_FALSE(event.is_set());
    event.set();
    event.set();
    EXPECT_TRUE(event.is_set());
    wait(event, 'a', 1s);
    EXPECT_EQ(log, "");
    world.run();
    EXPECT_EQ(log, "a.");
    EXPECT_EQ(world.now(), Time{});
}

TEST_F(KernelEvent, WaitersMayGiveUpFirst) {
    asio::cancellation_signal signal;
    wait(event, 'a', 1ms);
    wait(event, 'b', unlimited, signal.slot());
    wait(event, 'c');
    world.call_after(2ms, [&] { signal.emit(asio::cancellation_type::terminal); });
    world.call_after(3ms, [&] { event.set(); });
    world.run();
    EXPECT_EQ(log, "a!bxc.");
}

TEST_F(KernelEvent, ManyWaitersThatGaveUpAreForgotten) {
    for (int i = 0; i < 1000; ++i) {
        wait(event, 'a', 1us);
        world.run();
    }
    wait(event, 'z', 1us);
    event.set();
    world.run();
    EXPECT_EQ(log.size(), 2002U);
    EXPECT_EQ(log.substr(2000), "z.");
}

TEST_F(KernelEvent, MayBeDestroyedWithWaiters) {
    auto brief = std::make_unique<SimEvent>();
    wait(*brief, 'a', 2ms);
    wait(*brief, 'b');
    brief.reset();
    world.run();
    EXPECT_EQ(log, "a!");
    EXPECT_EQ(world.pending(process), 1U);
}

TEST_F(KernelEvent, MayOutliveTheProcessOfItsWaiters) {
    {
        Process brief(world, 2, "brief");
        event.async_wait(brief.get_executor(), unlimited, Interrupt::allowed,
                         [&](Settled<SimEvent::Woken>) { log += '?'; });
    }
    wait(event, 'a');
    event.set();
    world.run();
    EXPECT_EQ(log, "a.");
}

}  // namespace
}  // namespace drydock::sim
