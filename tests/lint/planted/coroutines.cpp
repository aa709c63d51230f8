// What coroutine.query must find (lines that end in the name of a rule) and must leave alone.
// Only parsed, never run; each wrong line was seen to crash or to destroy twice under g++ 12.2.
#include <coroutine>
#include <memory>
#include <string>
#include <utility>

struct Task {
    struct promise_type {
        Task get_return_object();
        std::suspend_never initial_suspend();
        std::suspend_never final_suspend() noexcept;
        void return_value(int value);
        void unhandled_exception();
    };
    bool await_ready();
    void await_suspend(std::coroutine_handle<> caller);
    int await_resume();
};

struct Aggregate {
    int number;
    std::string text;
};
struct Classy {
    Classy(int number, std::string text);
    std::string text;
};

Task ask();
Task take(Aggregate aggregate);
Task take_ref(const Aggregate& aggregate);
Task take_class(Classy classy);
Task take_text(std::string text);
template <class F>
Task call(F function);
int use(int number, const Aggregate& aggregate);
Aggregate make();

Task wrong_temporaries(std::string s, bool b) {
    co_await call([s] { return s.size(); });                      // coroutines: temporary
    co_await call([s = std::move(s)] { return s.size(); });       // coroutines: temporary
    co_await call([s]() -> Task { co_return co_await ask(); });   // coroutines: temporary
    co_await take(Aggregate{1, s});                               // coroutines: temporary
    co_await take({.number = 1, .text = s});                      // coroutines: temporary
    co_await take(Aggregate(1, s));                               // coroutines: temporary
    co_await take(std::move(Aggregate{1, s}));                    // coroutines: temporary
    co_await take_ref(Aggregate{1, s});                           // coroutines: temporary
    co_await take_text(b ? s : std::string());                    // coroutines: temporary
    const int r = use(co_await ask(), Aggregate{1, s});           // coroutines: temporary
    co_await [s]() -> Task { co_return co_await take_text(s); }();  // coroutines: temporary
    co_return r;
}

Task wrong_braces() {
    Aggregate a{co_await ask(), std::string("x")};  // coroutines: braces
    Aggregate b{.number = co_await ask()};          // coroutines: braces
    co_return use(a.number, b);
}

Task wrong_conditions(bool b) {
    if (co_await ask()) co_return 5;                       // coroutines: condition
    if (b && co_await ask() == 2) co_return 5;             // coroutines: condition
    while (co_await ask() < 5) b = !b;                     // coroutines: condition
    do b = !b; while (co_await ask() < 5);                 // coroutines: condition
    for (int i = 0; i < co_await ask(); ++i) b = !b;       // coroutines: condition
    switch (co_await ask()) {                              // coroutines: condition
        default: co_return 0;
    }
}

Task right(std::string s, bool b) {
    Aggregate named{1, s};
    co_await take(std::move(named));
    auto closure = [s] { return s.size(); };
    co_await call(std::move(closure));
    auto coroutine = [s]() -> Task { co_return co_await take_text(s); };
    co_await coroutine();
    const int trivial = 5;
    co_await call([trivial] { return trivial; });
    co_await call([&s] { return s.size(); });
    co_await take(make());
    co_await take_class(Classy{1, s});
    co_await take_text(std::string("x"));
    const int first = co_await ask();
    if (first == 1) co_return 5;
    const int second = b ? co_await ask() : 0;
    for (int i = co_await ask(); i < 5; ++i) b = !b;
    auto pointer = std::make_unique<int>(co_await ask());
    co_return first + second + *pointer;
}
