#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace drydock::sim {

template <class T>
class Routine;

namespace detail {

struct RoutinePromiseBase {
    /// Goes on with who waits for the end.
    struct End {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
            return ended.promise().waiting;
        }
        void await_resume() const noexcept {}
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    End final_suspend() const noexcept { return {}; }
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }

    std::coroutine_handle<> waiting = std::noop_coroutine();
};

template <class T>
struct RoutinePromise : RoutinePromiseBase {
    Routine<T> get_return_object();
    void return_value(T result) { value = std::move(result); }
    T take() { return std::move(*value); }

    std::optional<T> value;
};

template <>
struct RoutinePromise<void> : RoutinePromiseBase {
    Routine<void> get_return_object();
    void return_void() const noexcept {}
    void take() const noexcept {}
};

}  // namespace detail

/// What a modelled program does, written as it runs: a coroutine that awaits the times of its task
/// and other routines. It begins when it is awaited, or by `begin`, and may be destroyed wherever
/// it waits, as a program may be killed.
template <class T = void>
class [[nodiscard]] Routine {
public:
    using promise_type = detail::RoutinePromise<T>;

    Routine() = default;
    explicit Routine(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    Routine(Routine&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    Routine& operator=(Routine&& other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~Routine() {
        if (frame_) {
            frame_.destroy();
        }
    }

    void begin() { frame_.resume(); }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) noexcept {
        frame_.promise().waiting = waiting;
        return frame_;
    }
    T await_resume() { return frame_.promise().take(); }

private:
    std::coroutine_handle<promise_type> frame_;
};

template <class T>
Routine<T> detail::RoutinePromise<T>::get_return_object() {
    return Routine<T>(std::coroutine_handle<RoutinePromise>::from_promise(*this));
}

inline Routine<void> detail::RoutinePromise<void>::get_return_object() {
    return Routine<void>(std::coroutine_handle<RoutinePromise>::from_promise(*this));
}

}  // namespace drydock::sim
