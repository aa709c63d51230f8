#pragma once

#include <drydock/scenarios/client.hpp>

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drydock::scenarios {

/// What the historic clients have in common and did right: one sandbox a key, shared by the actors
/// of the process, one call at a time for each key, names and labels. What each did wrong is its
/// own `obtain` or `dispose`. Keeps everything in memory, runs on the caller's coroutine, and lets
/// a cancellation fly as an exception, as they did.
class LegacyClient : public ClientUnderTest {
public:
    explicit LegacyClient(ClientSeams seams) : seams_(std::move(seams)) {}

    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) final;
    awaitable<Result<void>> release(std::uint32_t actor, std::string key) final;
    awaitable<Result<void>> cleanup(std::string key) final;
    bool holds(std::uint32_t actor, const std::string& key) const final;
    awaitable<Result<std::string>> attach(std::uint32_t actor, std::string key) final;
    awaitable<Result<void>> close(bool wait_late) override;
    awaitable<Result<void>> recover() override;

protected:
    /// A usable sandbox for the key, or the error that the caller gets.
    virtual awaitable<Result<std::string>> obtain(const LeaseRequest& request) = 0;
    /// Removes a sandbox that was handed out. Best effort, as most were.
    virtual awaitable<Result<void>> dispose(const std::string& key, const std::string& id);
    /// What the label `key` shows: one key for all attempts of an acquire.
    virtual std::string idempotency_key(const std::string& key, std::uint32_t attempt) const;
    /// A name of its own for each attempt.
    virtual std::string sandbox_name(const std::string& key, std::uint32_t attempt) const;

    /// Create, start, make usable; what fails after the create is disposed of.
    awaitable<Result<std::string>> obtain_in_one_attempt(const LeaseRequest& request);
    /// The same, again while the error is transient and the policy allows.
    awaitable<Result<std::string>> obtain_in_attempts(const LeaseRequest& request);

    /// What became of a sandbox that was made: a failure, or a cancellation that was caught.
    struct Begun {
        std::string id;
        Result<void> usable;
        std::exception_ptr cancelled;

        bool is_usable() const { return usable && !cancelled; }
    };
    /// Create, start, make usable. A cancellation after the create is caught, for clients that
    /// clean up then.
    awaitable<Result<Begun>> begin(const LeaseRequest& request);

    // One exchange each, or one plain step.
    awaitable<Result<std::string>> create(const LeaseRequest& request, std::uint32_t attempt);
    awaitable<Result<void>> start(const std::string& key, const std::string& id);
    awaitable<Result<SandboxInfo>> inspect(const std::string& key, const std::string& id);
    awaitable<Result<std::vector<SandboxInfo>>> list(const std::string& key, const Labels& labels);
    awaitable<Result<void>> remove(const std::string& key, const std::string& id);
    /// Removes until it is gone, in at most the policy's attempts.
    awaitable<Result<void>> remove_in_tries(const std::string& key, const std::string& id);
    awaitable<void> back_off(const std::string& key, std::uint32_t tries);
    /// Reads until the sandbox runs, as long as the policy allows, then runs the caller's
    /// bootstrap.
    awaitable<Result<void>> make_usable(const LeaseRequest& request, const std::string& id);

    std::uint32_t next_attempt(const std::string& key) { return ++keys_[key].last_attempt; }
    /// The id of the key's sandbox, or empty.
    std::string sandbox_of(const std::string& key) const;
    virtual CallContext context(Operation operation, const std::string& key) const;
    Labels owner_labels() const;
    Labels lease_labels(const std::string& key) const;

    ClientSeams seams_;

private:
    struct Key {
        std::string id;  ///< empty while there is no sandbox
        std::size_t holders = 0;
        std::uint32_t last_attempt = 0;
        std::uint32_t acquisitions = 0;
        std::uint32_t cleanups = 0;
        std::shared_ptr<Event> busy;  ///< set when the call that works on the key has ended
    };

    /// Ends a call's turn on a key, however the call ends.
    class Turn;

    awaitable<void> wait_for_turn(const std::string& key);
    awaitable<Result<void>> dispose_in_turn(std::string key, std::string id);
    static awaitable<Result<void>> nothing();

    std::map<std::string, Key, std::less<>> keys_;
};

/// For the registry.
template <class Client>
ClientKind legacy_kind(std::string_view name, std::string_view about) {
    return {.name = std::string(name),
            .about = std::string(about),
            .has_ledger = false,
            .make = [](ClientSeams seams) { return std::make_unique<Client>(seams); }};
}

}  // namespace drydock::scenarios
