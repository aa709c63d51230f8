#include "clients/legacy/legacy_client.hpp"

#include <fmt/format.h>

#include <utility>

namespace drydock::scenarios {

class LegacyClient::Turn {
public:
    Turn(Key& key, Runtime& runtime) : key_(key) {
        key_.busy = std::shared_ptr<Event>(runtime.make_event());
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { std::exchange(key_.busy, nullptr)->set(); }

private:
    Key& key_;
};

CallContext LegacyClient::context(Operation operation, const std::string& key) const {
    return {Tag(operation, key), seams_.policy.request_timeout, Interrupt::allowed};
}

awaitable<void> LegacyClient::wait_for_turn(const std::string& key) {
    while (keys_[key].busy) {
        const std::shared_ptr<Event> busy = keys_[key].busy;
        co_await seams_.runtime.wait(Tag(Operation::join, key), *busy, std::nullopt,
                                     Interrupt::allowed);
    }
}

awaitable<Result<std::string>> LegacyClient::acquire(std::uint32_t, LeaseRequest request) {
    co_await wait_for_turn(request.key);
    Key& key = keys_[request.key];
    if (key.id.empty()) {
        const Turn turn(key, seams_.runtime);
        const std::uint32_t cleanups = key.cleanups;
        ++key.acquisitions;
        Result<std::string> id = co_await obtain(request);
        if (!id) co_return id.error();
        if (key.cleanups != cleanups) {
            Result<void> disposed = co_await dispose(request.key, *id);
            static_cast<void>(disposed);
            co_return Error({.kind = ErrorKind::cancelled, .message = "cleaned up meanwhile"});
        }
        key.id = *id;
    }
    ++key.holders;
    co_return key.id;
}

bool LegacyClient::holds(std::uint32_t, const std::string& key) const {
    const auto known = keys_.find(key);
    return known != keys_.end() && !known->second.id.empty() && known->second.holders > 0;
}

std::string LegacyClient::sandbox_of(const std::string& key) const {
    const auto known = keys_.find(key);
    return known == keys_.end() ? std::string() : known->second.id;
}

awaitable<Result<std::string>> LegacyClient::attach(std::uint32_t, std::string key) {
    Key& known = keys_[key];
    if (known.id.empty()) co_return Error({.kind = ErrorKind::not_found});
    ++known.holders;
    co_return known.id;
}

awaitable<Result<void>> LegacyClient::release(std::uint32_t, std::string key) {
    Key& known = keys_[key];
    if (known.holders == 0 || --known.holders > 0) return nothing();
    return dispose_in_turn(key, std::exchange(known.id, {}));
}

awaitable<Result<void>> LegacyClient::cleanup(std::string key) {
    Key& known = keys_[key];
    ++known.cleanups;
    known.holders = 0;
    return dispose_in_turn(key, std::exchange(known.id, {}));
}

awaitable<Result<void>> LegacyClient::dispose_in_turn(std::string key, std::string id) {
    co_await wait_for_turn(key);
    if (id.empty()) co_return Result<void>();
    const Turn turn(keys_[key], seams_.runtime);
    Result<void> disposed = co_await dispose(key, id);
    co_return disposed;
}

awaitable<Result<void>> LegacyClient::nothing() { co_return Result<void>(); }

awaitable<Result<void>> LegacyClient::close(bool) { co_return Result<void>(); }

awaitable<Result<void>> LegacyClient::recover() { co_return Result<void>(); }

awaitable<Result<void>> LegacyClient::dispose(const std::string& key, const std::string& id) {
    Result<void> removed = co_await remove(key, id);
    co_return removed;
}

awaitable<Result<std::string>> LegacyClient::obtain_in_one_attempt(const LeaseRequest& request) {
    const std::uint32_t attempt = next_attempt(request.key);
    Result<std::string> created = co_await create(request, attempt);
    if (!created) co_return created;
    const std::string id = *created;
    Result<void> usable = co_await start(request.key, id);
    if (usable) usable = co_await make_usable(request, id);
    if (usable) co_return id;
    const Error error = usable.error();
    Result<void> disposed = co_await dispose(request.key, id);
    static_cast<void>(disposed);
    co_return error;
}

awaitable<Result<std::string>> LegacyClient::obtain_in_attempts(const LeaseRequest& request) {
    for (std::uint32_t tries = 1;; ++tries) {
        Result<std::string> obtained = co_await obtain_in_one_attempt(request);
        if (obtained) co_return obtained;
        const Error error = obtained.error();
        const bool ends = !is_transient(error.kind()) || tries >= seams_.policy.attempts;
        if (ends) co_return error;
        co_await back_off(request.key, tries);
    }
}

awaitable<Result<LegacyClient::Begun>> LegacyClient::begin(const LeaseRequest& request) {
    const std::uint32_t attempt = next_attempt(request.key);
    Result<std::string> created = co_await create(request, attempt);
    if (!created) co_return created.error();
    Begun begun;
    begun.id = std::move(*created);
    try {
        begun.usable = co_await start(request.key, begun.id);
        if (begun.usable) begun.usable = co_await make_usable(request, begun.id);
    } catch (...) {
        begun.cancelled = std::current_exception();
    }
    co_return begun;
}

std::string LegacyClient::idempotency_key(const std::string& key, std::uint32_t) const {
    return fmt::format("{}/{}", key, keys_.at(key).acquisitions);
}

std::string LegacyClient::sandbox_name(const std::string& key, std::uint32_t attempt) const {
    return fmt::format("{}-{}-{}", seams_.ledger.owner(), key, attempt);
}

Labels LegacyClient::owner_labels() const {
    return {{std::string(label::owner), std::string(seams_.ledger.owner())}};
}

Labels LegacyClient::lease_labels(const std::string& key) const {
    Labels labels = owner_labels();
    labels.emplace_back(label::lease, key);
    return labels;
}

awaitable<Result<std::string>> LegacyClient::create(const LeaseRequest& request,
                                                    std::uint32_t attempt) {
    Labels labels = lease_labels(request.key);
    labels.emplace_back(label::attempt, std::to_string(attempt));
    labels.emplace_back(label::key, idempotency_key(request.key, attempt));
    const std::string name = sandbox_name(request.key, attempt);
    const CallContext call = context(Operation::container_create, request.key);
    Result<std::string> created = co_await seams_.backend.create(call, name, request.spec, labels);
    co_return created;
}

awaitable<Result<void>> LegacyClient::start(const std::string& key, const std::string& id) {
    const CallContext call = context(Operation::container_start, key);
    Result<void> started = co_await seams_.backend.start(call, id);
    const bool is_changing = !started && started.error().kind() == ErrorKind::conflict;
    if (is_changing) co_return Result<void>();  // what is read of it decides
    co_return started;
}

awaitable<Result<SandboxInfo>> LegacyClient::inspect(const std::string& key,
                                                     const std::string& id) {
    const CallContext call = context(Operation::container_inspect, key);
    Result<SandboxInfo> read = co_await seams_.backend.inspect(call, id);
    co_return read;
}

awaitable<Result<void>> LegacyClient::remove(const std::string& key, const std::string& id) {
    const CallContext call = context(Operation::container_remove, key);
    Result<void> removed = co_await seams_.backend.remove(call, id);
    co_return removed;
}

awaitable<Result<std::vector<SandboxInfo>>> LegacyClient::list(const std::string& key,
                                                               const Labels& labels) {
    const CallContext call = context(Operation::container_list, key);
    Result<std::vector<SandboxInfo>> listed = co_await seams_.backend.list(call, labels);
    co_return listed;
}

awaitable<Result<void>> LegacyClient::remove_in_tries(const std::string& key,
                                                      const std::string& id) {
    for (std::uint32_t tries = 1;; ++tries) {
        Result<void> removed = co_await remove(key, id);
        if (removed) co_return removed;
        const Error error = removed.error();
        if (error.kind() == ErrorKind::not_found) co_return Result<void>();
        if (tries >= seams_.policy.attempts) co_return error;
        co_await back_off(key, tries);
    }
}

awaitable<void> LegacyClient::back_off(const std::string& key, std::uint32_t tries) {
    const Duration delay = delay_after(seams_.policy.backoff, tries, 0);
    co_await seams_.runtime.sleep(Tag(Operation::backoff, key), delay, Interrupt::allowed);
}

awaitable<Result<void>> LegacyClient::make_usable(const LeaseRequest& request,
                                                  const std::string& id) {
    const Time until = seams_.runtime.now() + seams_.policy.ready_timeout;
    for (;;) {
        Result<SandboxInfo> read = co_await inspect(request.key, id);
        if (!read) co_return read.error();
        if (read->state >= SandboxState::stopped) {
            co_return Error({.kind = ErrorKind::provisioning, .message = "not running"});
        }
        if (read->state == SandboxState::running) {
            if (!request.bootstrap) co_return Result<void>();
            const SandboxInfo sandbox = std::move(*read);
            const Runtime::Callback callback = [&] { return request.bootstrap(sandbox); };
            Result<void> done = co_await seams_.runtime.call(
                Tag(Operation::bootstrap, request.key), callback, std::nullopt, Interrupt::allowed);
            co_return done;
        }
        if (seams_.runtime.now() >= until) {
            co_return Error({.kind = ErrorKind::provisioning, .message = "not ready in time"});
        }
        co_await seams_.runtime.sleep(Tag(Operation::settle, request.key), seams_.policy.settle,
                                      Interrupt::allowed);
        if (read->state != SandboxState::created) continue;
        Result<void> started = co_await start(request.key, id);
        if (!started) co_return started;
    }
}

}  // namespace drydock::scenarios
