// The bed sees what a client does: each of these wraps the library and adds one misdeed, and each
// misdeed breaks exactly its invariant.
#include "support/scenario_kit.hpp"

#include <drydock/scenarios/client.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace drydock::test {
namespace {

using namespace scenarios;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// The library as it is, for others to spoil.
class Honest : public ClientUnderTest {
public:
    explicit Honest(const ClientSeams& given)
        : seams(given), library(client(library_client).make(given)) {}

    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override {
        return library->acquire(actor, std::move(request));
    }
    awaitable<Result<void>> release(std::uint32_t actor, std::string key) override {
        return library->release(actor, std::move(key));
    }
    awaitable<Result<void>> cleanup(std::string key) override {
        return library->cleanup(std::move(key));
    }
    awaitable<Result<std::string>> attach(std::uint32_t actor, std::string key) override {
        return library->attach(actor, std::move(key));
    }
    bool holds(std::uint32_t actor, const std::string& key) const override {
        return library->holds(actor, key);
    }
    awaitable<Result<void>> close(bool wait_late) override { return library->close(wait_late); }
    awaitable<Result<void>> recover() override { return library->recover(); }

protected:
    CallContext context(Operation operation, std::string_view key) const {
        return {Tag(operation, key), 30s, Interrupt::shielded};
    }
    /// A create that the library does not know of.
    awaitable<Result<std::string>> create(const std::string& key, std::uint32_t attempt,
                                          std::string idempotency_key) {
        Labels labels;
        labels.emplace_back(label::owner, seams.ledger.owner());
        labels.emplace_back(label::lease, key);
        labels.emplace_back(label::attempt, std::to_string(attempt));
        labels.emplace_back(label::key, std::move(idempotency_key));
        SandboxSpec spec;
        spec.image = "bb";
        const std::string name = key + "-extra-" + std::to_string(attempt);
        const CallContext call = context(Operation::container_create, key);
        Result<std::string> created = co_await seams.backend.create(call, name, spec, labels);
        co_return created;
    }
    awaitable<void> remove(const std::string& key, const std::string& id) {
        const CallContext call = context(Operation::container_remove, key);
        Result<void> removed = co_await seams.backend.remove(call, id);
        static_cast<void>(removed);
    }

    ClientSeams seams;
    std::unique_ptr<ClientUnderTest> library;
};

/// Makes a second sandbox and forgets it.
class Leaking final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<void>> close(bool wait_late) override {
        Result<void> closed = co_await library->close(wait_late);
        Result<std::string> extra = co_await create("k", 7, "runner/k/7");
        static_cast<void>(extra);
        co_return closed;
    }
};

/// Makes a second sandbox beside the first one, and removes it in the end.
class Doubling final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override {
        Result<std::string> id = co_await library->acquire(actor, std::move(request));
        Result<std::string> extra = co_await create("k", 7, "runner/k/1");
        if (extra) extra_ = *extra;
        co_return id;
    }
    awaitable<Result<void>> release(std::uint32_t actor, std::string key) override {
        co_await remove(key, extra_);
        Result<void> released = co_await library->release(actor, key);
        co_return released;
    }

private:
    std::string extra_;
};

/// Exits without waiting for anything, and keeps what was released.
class Careless final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<void>> release(std::uint32_t, std::string) override {
        co_return Result<void>();
    }
    awaitable<Result<void>> close(bool wait_late) override {
        if (!wait_late) co_return Result<void>();
        Result<void> closed = co_await library->close(wait_late);
        co_return closed;
    }
};

/// Removes its sandbox as soon as it is handed out.
class Killing final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override {
        const std::string key = request.key;
        Result<std::string> id = co_await library->acquire(actor, std::move(request));
        if (id) co_await remove(key, *id);
        co_return id;
    }
};

/// Starts a sandbox that it has released.
class Clinging final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override {
        Result<std::string> id = co_await library->acquire(actor, std::move(request));
        if (id) id_ = *id;
        co_return id;
    }
    awaitable<Result<void>> release(std::uint32_t actor, std::string key) override {
        const CallContext call = context(Operation::container_start, key);
        Result<void> started = co_await seams.backend.start(call, id_);
        static_cast<void>(started);
        Result<void> released = co_await library->release(actor, key);
        co_return released;
    }

private:
    std::string id_;
};

/// Says something else than what happened.
class Lying final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<std::string>> acquire(std::uint32_t, LeaseRequest) override {
        co_return Error({.kind = ErrorKind::conflict, .message = "somebody else has it"});
    }
};

/// Tries far too often, each time properly torn down.
class Insisting final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override {
        const std::string key = request.key;
        for (std::uint32_t attempt = 90; attempt < 95; ++attempt) {
            Result<std::string> extra = co_await create(key, attempt, "runner/k/1");
            if (extra) co_await remove(key, *extra);
        }
        Result<std::string> id = co_await library->acquire(actor, std::move(request));
        co_return id;
    }
};

/// Never returns from its release.
class Stuck final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<void>> release(std::uint32_t actor, std::string key) override {
        Result<void> released = co_await library->release(actor, key);
        const std::unique_ptr<Event> never = seams.runtime.make_event();
        co_await seams.runtime.wait(Tag(Operation::join, key), *never, std::nullopt,
                                    Interrupt::shielded);
        co_return released;
    }
};

/// Asks for ever, without any delay between.
class Spinning final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<void>> release(std::uint32_t actor, std::string key) override {
        Result<void> released = co_await library->release(actor, key);
        while (released) {
            released = co_await seams.runtime.call(Tag(Operation::undo, key), nothing, std::nullopt,
                                                   Interrupt::shielded);
        }
        co_return released;
    }

private:
    static awaitable<Result<void>> nothing() { co_return Result<void>(); }
};

/// Gives its second attempt another key.
class Fickle final : public Honest {
public:
    using Honest::Honest;
    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override {
        const std::string key = request.key;
        Result<std::string> extra = co_await create(key, 7, "runner/k/7");
        if (extra) co_await remove(key, *extra);
        Result<std::string> id = co_await library->acquire(actor, std::move(request));
        co_return id;
    }
};

template <class Client>
ClientKind kind_of(bool has_ledger) {
    return {.name = "misbehaving",
            .about = "",
            .has_ledger = has_ledger,
            .make = [](ClientSeams seams) { return std::make_unique<Client>(seams); }};
}

template <class Client>
RunReport run_with(bool has_ledger) {
    const Scenario scenario = one_actor({AcquireStep{.key = "k"}, HoldStep{40s}, ReleaseStep{"k"}});
    const ClientKind kind = kind_of<Client>(has_ledger);
    return run_plan({scenario, backend("docker"), kind}, {}, false);
}

TEST(ClientsMisbehaving, AnHonestOneBreaksNothing) {
    EXPECT_THAT(broken(run_with<Honest>(true)), IsEmpty());
    EXPECT_THAT(broken(run_with<Honest>(false)), IsEmpty());
}

TEST(ClientsMisbehaving, EachBreaksExactlyItsInvariant) {
    EXPECT_THAT(broken(run_with<Leaking>(false)), ElementsAre("no_leak"));
    EXPECT_THAT(broken(run_with<Doubling>(false)), ElementsAre("one_per_lease"));
    EXPECT_THAT(broken(run_with<Careless>(true)), ElementsAre("owner_teardown"));
    EXPECT_THAT(broken(run_with<Killing>(true)), ElementsAre("no_wrong_kill"));
    EXPECT_THAT(broken(run_with<Clinging>(true)), ElementsAre("no_use_after_release"));
    EXPECT_THAT(broken(run_with<Lying>(true)), ElementsAre("truthful_error"));
    EXPECT_THAT(broken(run_with<Insisting>(false)), ElementsAre("bounded"));
    EXPECT_THAT(broken(run_with<Stuck>(true)), ElementsAre("no_stuck"));
    EXPECT_THAT(broken(run_with<Spinning>(true)), ElementsAre("no_stuck"));
    EXPECT_THAT(broken(run_with<Fickle>(false)), ElementsAre("stable_key"));
}

TEST(ClientsMisbehaving, EveryViolationSaysSinceWhen) {
    const auto say_since_when = [](const RunReport& report) {
        EXPECT_THAT(report.outcome.violations, Not(IsEmpty()));
        for (const faults::Violation& violation : report.outcome.violations) {
            ASSERT_TRUE(violation.since) << violation.invariant;
            EXPECT_GE(*violation.since, Time{}) << violation.invariant;
            EXPECT_LE(*violation.since, report.end) << violation.invariant;
        }
    };
    say_since_when(run_with<Leaking>(false));
    say_since_when(run_with<Doubling>(false));
    say_since_when(run_with<Careless>(true));
    say_since_when(run_with<Killing>(true));
    say_since_when(run_with<Clinging>(true));
    say_since_when(run_with<Lying>(true));
    say_since_when(run_with<Insisting>(false));
    say_since_when(run_with<Stuck>(true));
    say_since_when(run_with<Fickle>(false));
}

TEST(ClientsMisbehaving, AViolationNamesItsSubjectAndTellsItsStory) {
    const RunReport report = run_with<Leaking>(false);
    ASSERT_EQ(report.outcome.violations.size(), 1U);
    const faults::Violation& violation = report.outcome.violations[0];
    EXPECT_THAT(violation.subject, testing::HasSubstr("runner[k]"));
    EXPECT_THAT(violation.story, testing::HasSubstr("container-seconds"));
}

TEST(ClientsRegistry, ANameIsGivenOnce) {
    ClientRegistry registry = builtin_clients();
    registry.add(kind_of<Honest>(true));
    EXPECT_NE(registry.find("misbehaving"), nullptr);
    EXPECT_EQ(registry.find("nobody"), nullptr);
    EXPECT_THROW(registry.add(kind_of<Honest>(true)), std::invalid_argument);
}

}  // namespace
}  // namespace drydock::test
