#include "clients/legacy/kinds.hpp"
#include "clients/library_client.hpp"

#include <drydock/retry.hpp>

namespace drydock::scenarios {

namespace {

// What PrimeIntellect-ai/prime#837 takes care not to do, on top of the library: bytes for a job
// whose answer did not come are written again.
class Prime837Stdin final : public LibraryClient {
public:
    explicit Prime837Stdin(const ClientSeams& seams)
        : LibraryClient(seams), attempts_(seams.policy.attempts) {}

    awaitable<Result<void>> write_stdin(std::uint32_t actor, std::string key, std::string job,
                                        std::string text) override {
        for (std::uint32_t tries = 1;; ++tries) {
            Result<void> written = co_await LibraryClient::write_stdin(actor, key, job, text);
            if (written) co_return written;
            const Error error = written.error();
            const bool ends = !is_transient(error.kind()) || tries >= attempts_;
            if (ends) co_return error;
        }
    }

private:
    std::uint32_t attempts_;
};

}  // namespace

ClientKind prime_837_stdin() {
    return {.name = "prime-837-stdin",
            .about = "writes to a command's stdin again when the answer did not come",
            .has_ledger = true,
            .make = [](ClientSeams seams) { return std::make_unique<Prime837Stdin>(seams); }};
}

}  // namespace drydock::scenarios
