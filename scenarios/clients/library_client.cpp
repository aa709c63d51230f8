#include "clients/library_client.hpp"

#include <map>
#include <utility>

namespace drydock::scenarios {

namespace {

// The production library as it is: only the bookkeeping of which actor holds what is added.
class LibraryClient final : public ClientUnderTest {
public:
    explicit LibraryClient(const ClientSeams& seams)
        : manager_(seams.runtime, seams.backend, seams.ledger, seams.policy) {}

    awaitable<Result<std::string>> acquire(std::uint32_t actor, LeaseRequest request) override {
        const std::string key = request.key;
        Result<Lease> lease = co_await manager_.acquire(std::move(request));
        if (!lease) co_return lease.error();
        co_return keep(actor, key, std::move(*lease));
    }

    awaitable<Result<void>> release(std::uint32_t actor, std::string key) override {
        const auto held = leases_.find(Holder(actor, std::move(key)));
        if (held == leases_.end()) co_return Result<void>();
        Lease lease = std::move(held->second);
        leases_.erase(held);
        Result<void> released = co_await lease.release();
        co_return released;
    }

    awaitable<Result<void>> cleanup(std::string key) override {
        return manager_.cleanup(std::move(key));
    }

    awaitable<Result<std::string>> attach(std::uint32_t actor, std::string key) override {
        Result<Lease> lease = co_await manager_.attach(key);
        if (!lease) co_return lease.error();
        co_return keep(actor, key, std::move(*lease));
    }

    awaitable<Result<void>> close(bool wait_late) override {
        return manager_.close({.wait_late = wait_late});
    }

    awaitable<Result<void>> recover() override { return manager_.recover(); }

private:
    using Holder = std::pair<std::uint32_t, std::string>;

    std::string keep(std::uint32_t actor, const std::string& key, Lease lease) {
        std::string id = lease.sandbox().id;
        leases_.emplace(Holder(actor, key), std::move(lease));
        return id;
    }

    SandboxManager manager_;
    std::multimap<Holder, Lease> leases_;
};

}  // namespace

ClientKind library() {
    return {.name = std::string(library_client),
            .about = "drydock's own library",
            .has_ledger = true,
            .make = [](ClientSeams seams) { return std::make_unique<LibraryClient>(seams); }};
}

}  // namespace drydock::scenarios
