#include <drydock/error.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace drydock {

struct Error::Body {
    ErrorFields fields;
    std::vector<Error> causes;
    std::atomic<std::uint32_t> references{0};

    Body(ErrorFields given_fields, std::vector<Error> given_causes)
        : fields(std::move(given_fields)), causes(std::move(given_causes)) {}
};

void intrusive_ptr_add_ref(Error::Body* body) noexcept {
    body->references.fetch_add(1, std::memory_order_relaxed);
}

// Takes a chain apart link by link: a destructor that called itself for each cause would overflow
// the stack on a long one.
void intrusive_ptr_release(Error::Body* body) noexcept {
    if (body->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    std::vector<Error> causes = std::move(body->causes);
    delete body;
    while (!causes.empty()) {
        const Error cause = std::move(causes.back());
        causes.pop_back();
        if (cause.body_->references.load(std::memory_order_acquire) != 1) continue;
        std::vector<Error> deeper = std::move(cause.body_->causes);
        std::move(deeper.begin(), deeper.end(), std::back_inserter(causes));
    }
}

Error::Error() : Error(ErrorFields{}) {}

Error::Error(ErrorFields fields) : body_(new Body(std::move(fields), {})) {}

Error::Error(boost::intrusive_ptr<Body> body) : body_(std::move(body)) {}

ErrorKind Error::kind() const noexcept { return body_->fields.kind; }
Landed Error::landed() const noexcept { return body_->fields.landed; }
std::optional<Operation> Error::operation() const noexcept { return body_->fields.operation; }
int Error::status() const noexcept { return body_->fields.status; }
std::string_view Error::code() const noexcept { return body_->fields.code; }
std::string_view Error::message() const noexcept { return body_->fields.message; }
Obligation Error::obligation() const noexcept { return body_->fields.obligation; }
std::span<const Error> Error::causes() const noexcept { return body_->causes; }

// Copies instead of changing: errors are shared, and immutable causes cannot form a cycle, so that
// walking them always ends (S1).
Error Error::with_cause(Error cause) const {
    std::vector<Error> causes = body_->causes;
    causes.push_back(std::move(cause));
    return Error(boost::intrusive_ptr<Body>(new Body(body_->fields, std::move(causes))));
}

Error Error::with_obligation(Obligation obligation) const {
    ErrorFields fields = body_->fields;
    fields.obligation = obligation;
    return Error(boost::intrusive_ptr<Body>(new Body(std::move(fields), body_->causes)));
}

}  // namespace drydock
