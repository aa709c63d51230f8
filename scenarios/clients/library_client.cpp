#include "clients/library_client.hpp"

#include <map>
#include <utility>
#include <vector>

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
        const bool holds_none = held == leases_.end() || held->second.empty();
        if (holds_none) co_return Result<void>();
        Lease lease = std::move(held->second.back());
        held->second.pop_back();
        Result<void> released = co_await lease.release();
        co_return released;
    }

    bool holds(std::uint32_t actor, const std::string& key) const override {
        const auto held = leases_.find(Holder(actor, key));
        return held != leases_.end() && !held->second.empty() && held->second.back().holds();
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
        std::vector<Lease>& held = leases_[Holder(actor, key)];
        std::erase_if(held, [](const Lease& each) { return !each.holds(); });  // cleaned up
        held.push_back(std::move(lease));
        return id;
    }

    SandboxManager manager_;
    std::map<Holder, std::vector<Lease>> leases_;
};

}  // namespace

ClientKind library() {
    return {.name = std::string(library_client),
            .about = "drydock's own library",
            .has_ledger = true,
            .make = [](ClientSeams seams) { return std::make_unique<LibraryClient>(seams); }};
}

}  // namespace drydock::scenarios
