#include "seams/suspension.hpp"

#include <drydock/sim/sim_event.hpp>
#include <drydock/sim/sim_runtime.hpp>
#include <drydock/sim/sleep.hpp>
#include <drydock/sim/wall.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace drydock::sim {

namespace {

std::uint64_t as_value(Wake wake) { return static_cast<std::uint64_t>(wake); }

Duration limit_of(const World& world, std::optional<Time> until) {
    return until ? *until - world.now() : unlimited;
}

// A callback of the caller, on its way. It outlives its wait when that is abandoned.
struct RunningCallback {
    SimEvent done;
    asio::cancellation_signal signal;
    Result<void> outcome;
    std::exception_ptr thrown;
};

void spawn_callback(const Executor& executor, const Runtime::Callback& callback,
                    const std::shared_ptr<RunningCallback>& running) {
    asio::co_spawn(executor, callback,
                   asio::bind_cancellation_slot(
                       running->signal.slot(),
                       [running](const std::exception_ptr& thrown, Result<void> outcome) {
                           running->thrown = thrown;
                           running->outcome = std::move(outcome);
                           running->done.set();
                       }));
}

Error failure(Tag tag, ErrorKind kind, std::string message) {
    return Error({.kind = kind, .operation = tag.operation, .message = std::move(message)});
}

Error abandoned(Tag tag, Wake wake) {
    const ErrorKind kind = wake == Wake::timed_out ? ErrorKind::timeout : ErrorKind::cancelled;
    return failure(tag, kind, "the callback was abandoned");
}

// A callback that throws is the caller's bug; what it stands in must be torn down all the same.
Error defect(Tag tag, const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& exception) {
        return failure(tag, ErrorKind::internal, std::string("it threw: ") + exception.what());
    } catch (...) {
        return failure(tag, ErrorKind::internal, "it threw");
    }
}

awaitable<Result<void>> run_callback(const Suspension& suspension, Tag tag,
                                     const Runtime::Callback& callback, std::optional<Time> until,
                                     Interrupt interrupt) {
    const auto running = std::make_shared<RunningCallback>();
    spawn_callback(suspension.executor(), callback, running);
    const Duration limit = limit_of(suspension.program().simulation().world(), until);
    const auto settled =
        co_await running->done.async_wait(suspension.executor(), limit, interrupt, asio::deferred);
    if (settled.wake != Wake::done) {
        running->signal.emit(asio::cancellation_type::terminal);
        co_return abandoned(tag, settled.wake);
    }
    if (running->thrown) co_return defect(tag, running->thrown);
    co_return running->outcome;
}

awaitable<Result<void>> outcome_of(const Suspension& suspension, Tag tag,
                                   const Runtime::Callback& callback, std::optional<Time> until,
                                   Interrupt interrupt) {
    const Duration longer = suspension.chosen_delay();
    if (longer > Duration::zero()) {
        const Duration left = limit_of(suspension.program().simulation().world(), until);
        const Wake wake = co_await async_sleep(suspension.executor(), std::min(longer, left),
                                               interrupt, asio::deferred);
        if (wake != Wake::done) co_return abandoned(tag, wake);
        if (longer >= left) co_return abandoned(tag, Wake::timed_out);
    }
    const Made fate = suspension.choice(faults::Aspect::fate);
    if (const auto* chosen = fate.as<faults::LocalFate>()) {
        fate.facts->local_failed = true;
        co_return failure(tag, chosen->error, "chosen");
    }
    Result<void> outcome = co_await run_callback(suspension, tag, callback, until, interrupt);
    co_return outcome;
}

}  // namespace

SimRuntime::SimRuntime(Program& program)
    : program_(program), random_(faults::seed_of(program.id(), program.incarnation())) {}

asio::any_io_executor SimRuntime::executor() { return program_.process()->get_executor(); }

Time SimRuntime::now() { return program_.simulation().world().now(); }

WallTime SimRuntime::wall_now() { return simulated_start + now().time_since_epoch(); }

std::unique_ptr<drydock::Event> SimRuntime::make_event() { return std::make_unique<SimEvent>(); }

void SimRuntime::report(std::string_view defect) {
    if (program_.is_alive()) defects_.emplace_back(defect);
}

awaitable<Wake> SimRuntime::sleep(Tag tag, Duration duration, Interrupt interrupt) {
    Suspension suspension(program_, tag);
    if (suspension.is_chosen()) {
        const bool goes_on = co_await suspension.before(interrupt);
        if (!goes_on) co_return Wake::cancelled;
        co_await suspension.arm_in_flight();
    }
    const Duration whole = duration + suspension.chosen_delay();
    const Wake wake = co_await async_sleep(suspension.executor(), whole, interrupt, asio::deferred);
    if (suspension.is_chosen()) co_await suspension.with_completion();
    suspension.completed(as_value(wake));
    co_return wake;
}

awaitable<Wake> SimRuntime::wait(Tag tag, drydock::Event& event, std::optional<Time> until,
                                 Interrupt interrupt) {
    Suspension suspension(program_, tag);
    if (suspension.is_chosen()) {
        const bool goes_on = co_await suspension.before(interrupt);
        if (!goes_on) co_return Wake::cancelled;
        co_await suspension.arm_in_flight();
    }
    const Duration limit = limit_of(program_.simulation().world(), until);
    auto& sim_event = static_cast<SimEvent&>(event);
    const auto settled =
        co_await sim_event.async_wait(suspension.executor(), limit, interrupt, asio::deferred);
    if (suspension.is_chosen()) co_await suspension.with_completion();
    suspension.completed(as_value(settled.wake));
    co_return settled.wake;
}

awaitable<Result<void>> SimRuntime::call(Tag tag, Callback callback, std::optional<Time> until,
                                         Interrupt interrupt) {
    Suspension suspension(program_, tag);
    if (suspension.is_chosen()) {
        const bool goes_on = co_await suspension.before(interrupt);
        if (!goes_on) co_return abandoned(tag, Wake::cancelled);
        co_await suspension.arm_in_flight();
    }
    Result<void> outcome = co_await outcome_of(suspension, tag, callback, until, interrupt);
    if (suspension.is_chosen()) co_await suspension.with_completion();
    suspension.completed(outcome ? 0 : 1 + static_cast<std::uint64_t>(outcome.error().kind()));
    co_return outcome;
}

}  // namespace drydock::sim
