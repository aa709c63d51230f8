#include <drydock/authorizing.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace drydock {
namespace {

constexpr int unauthorized = 401;

/// The exchange and the stream that a token is for: each gives its own kind of reply.
int status_of(const Exchanged& reply) { return reply ? reply->status : 0; }
int status_of(const Opened& reply) { return reply ? reply->head.status : 0; }

Exchanged as_reply(Response response, const Exchanged*) { return response; }
Opened as_reply(Response response, const Opened*) {
    OpenedStream refused;
    refused.head = std::move(response);
    return refused;
}

/// What the backend would have said, had it been asked without a token.
Response without_token(const Error& error) {
    Response response;
    response.status = unauthorized;
    response.body = "no token: " + error.describe();
    return response;
}

class AuthorizingTransport final : public Transport {
public:
    AuthorizingTransport(Transport& inner, Runtime& runtime, TokenSource source)
        : inner_(inner), runtime_(runtime), source_(std::move(source)) {}

    awaitable<Exchanged> exchange(Tag tag, Request request, Duration limit,
                                  Interrupt interrupt) override {
        return authorized<Exchanged>(tag, std::move(request), limit, interrupt,
                                     &Transport::exchange);
    }
    awaitable<Opened> open(Tag tag, Request request, Duration limit, Interrupt interrupt) override {
        return authorized<Opened>(tag, std::move(request), limit, interrupt, &Transport::open);
    }

private:
    template <class Reply>
    using Send = awaitable<Reply> (Transport::*)(Tag, Request, Duration, Interrupt);

    template <class Reply>
    awaitable<Reply> authorized(Tag tag, Request request, Duration limit, Interrupt interrupt,
                                Send<Reply> send) {
        const Time until = runtime_.now() + limit;
        std::string refused = {};
        for (int tries = 1;; ++tries) {
            Result<void> ready = co_await make_ready(tag, refused, until, interrupt);
            if (!ready) co_return no_token<Reply>(ready.error());
            Request authorized_request = request;
            authorized_request.authorization = "Bearer " + *token_;
            refused = *token_;
            const Duration left =
                std::max<Duration>(until - runtime_.now(), std::chrono::milliseconds(1));
            Reply reply =
                co_await (inner_.*send)(tag, std::move(authorized_request), left, interrupt);
            if (status_of(reply) != unauthorized || tries == 2) co_return reply;
        }
    }

    /// Until there is a token other than the refused one.
    awaitable<Result<void>> make_ready(Tag tag, const std::string& refused, Time until,
                                       Interrupt interrupt) {
        while (!token_ || *token_ == refused) {
            if (!asked_) {
                Result<void> asked = co_await ask(tag, until, interrupt);
                co_return asked;
            }
            const std::shared_ptr<Event> answered = asked_;
            const Tag refresh{Operation::refresh, tag.lease};
            const Wake wake = co_await runtime_.wait(refresh, *answered, until, interrupt);
            if (wake == Wake::cancelled) co_return failure(ErrorKind::cancelled);
            if (wake == Wake::timed_out) co_return failure(ErrorKind::timeout);
        }
        co_return Result<void>();
    }

    /// Who asks wakes the others, whatever came of it.
    awaitable<Result<void>> ask(Tag tag, Time until, Interrupt interrupt) {
        asked_ = runtime_.make_event();
        const auto token = std::make_shared<std::string>();
        const Runtime::Callback callback = [source = source_, token]() -> awaitable<Result<void>> {
            Result<std::string> given = co_await source();
            if (!given) co_return given.error();
            *token = std::move(*given);
            co_return Result<void>();
        };
        const Tag refresh{Operation::refresh, tag.lease};
        Result<void> done = co_await runtime_.call(refresh, callback, until, interrupt);
        if (done) token_ = *token;
        asked_->set();
        asked_.reset();
        co_return done;
    }

    static Error failure(ErrorKind kind) {
        return Error(
            {.kind = kind, .operation = Operation::refresh, .message = "no token in time"});
    }

    /// Nothing was sent, or what was sent was refused.
    template <class Reply>
    static Reply no_token(const Error& error) {
        using Cause = TransportFailure::Cause;
        if (error.kind() == ErrorKind::cancelled) return TransportFailure{Cause::cancelled, {}, 0};
        if (error.kind() == ErrorKind::timeout) return TransportFailure{Cause::timeout, {}, 0};
        return as_reply(without_token(error), static_cast<const Reply*>(nullptr));
    }

    Transport& inner_;
    Runtime& runtime_;
    TokenSource source_;
    std::optional<std::string> token_;
    std::shared_ptr<Event> asked_;  ///< while somebody asks
};

}  // namespace

std::unique_ptr<Transport> make_authorizing_transport(Transport& inner, Runtime& runtime,
                                                      TokenSource source) {
    return std::make_unique<AuthorizingTransport>(inner, runtime, std::move(source));
}

}  // namespace drydock
