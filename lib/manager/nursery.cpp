#include "manager/nursery.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <utility>

namespace drydock::detail {

// Shared with the completions: a task may end after its nursery, when a process dies.
struct Nursery::State {
    explicit State(Runtime& given_runtime) : runtime(given_runtime) {}

    Runtime& runtime;
    std::size_t running = 0;
    std::shared_ptr<Event> idle;  // made when somebody waits; all who wait share it

    void task_ended() {
        if (--running == 0 && idle) idle->set();
    }
};

Nursery::Nursery(Runtime& runtime) : state_(std::make_shared<State>(runtime)) {}

Nursery::~Nursery() = default;

void Nursery::spawn(awaitable<void> task) {
    ++state_->running;
    asio::co_spawn(state_->runtime.executor(), std::move(task),
                   [state = state_](const std::exception_ptr& error) {
                       state->task_ended();
                       if (error) std::rethrow_exception(error);
                   });
}

void Nursery::spawn(awaitable<void> task, asio::cancellation_signal& signal) {
    ++state_->running;
    asio::co_spawn(state_->runtime.executor(), std::move(task),
                   asio::bind_cancellation_slot(signal.slot(),
                                                [state = state_](const std::exception_ptr& error) {
                                                    state->task_ended();
                                                    if (error) std::rethrow_exception(error);
                                                }));
}

std::size_t Nursery::running() const noexcept { return state_->running; }

awaitable<bool> Nursery::wait_until_idle(std::optional<Time> until) {
    const std::shared_ptr<State> state = state_;
    while (state->running > 0) {
        if (!state->idle || state->idle->is_set()) state->idle = state->runtime.make_event();
        const std::shared_ptr<Event> idle = state->idle;
        const Wake wake = co_await state->runtime.wait(Tag(Operation::close, {}), *idle, until,
                                                       Interrupt::shielded);
        if (wake == Wake::timed_out) co_return false;
    }
    co_return true;
}

}  // namespace drydock::detail
