#pragma once

#include <drydock/runtime.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace drydock::detail {

/// Owns coroutines that outlive the call that began them. Nothing that happens to a caller reaches
/// them; only a signal given at `spawn` can cancel one.
class Nursery {
public:
    explicit Nursery(Runtime& runtime);
    Nursery(const Nursery&) = delete;
    Nursery& operator=(const Nursery&) = delete;
    ~Nursery();

    /// `task` must keep alive whatever it uses. An exception from it is a defect and is rethrown
    /// into the executor.
    void spawn(awaitable<void> task);
    void spawn(awaitable<void> task, asio::cancellation_signal& signal);

    std::size_t running() const noexcept;

    /// Until nothing runs, or `until`. True if nothing runs. Cancellation does not end it.
    awaitable<bool> wait_until_idle(std::optional<Time> until);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace drydock::detail
