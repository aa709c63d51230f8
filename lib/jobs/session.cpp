#include "jobs/session.hpp"

#include "embedded/guard_script.hpp"
#include "manager/ending.hpp"

#include <utility>

namespace drydock::jobs {

namespace {

constexpr std::string_view guard_path = "/.drydock/guard";

}  // namespace

CallContext Session::context(Operation operation, std::optional<Duration> limit) const {
    return {tag(operation), limit.value_or(core->policy.request_timeout), Interrupt::allowed};
}

detail::SandboxJobs& Session::jobs() const {
    if (!live->jobs) live->jobs = std::make_shared<detail::SandboxJobs>();
    return *live->jobs;
}

detail::LaunchedJob* Session::launched() const {
    const auto found = jobs().launched.find(job);
    return found == jobs().launched.end() ? nullptr : &found->second;
}

std::vector<std::string> Session::guard(std::string_view verb) const {
    return {"sh", std::string(guard_path), std::string(verb), job};
}

awaitable<std::optional<Error>> why_stop(const Session& session) {
    const bool is_given_up = co_await detail::is_cancelled();
    if (is_given_up) co_return detail::given_up(Wake::cancelled);
    if (session.live->released || session.core->closed) {
        co_return detail::refused("the job's lease was given back");
    }
    co_return std::nullopt;
}

// Not only what is ambiguous, as in an acquire, which has its attempts: here nothing else repeats.
awaitable<std::optional<Error>> why_not_again(const Session& session, Error error,
                                              std::uint32_t tries) {
    const Policy& policy = session.core->policy;
    const bool is_allowed = may_repeat(RetryClass::read, error.kind(), error.landed());
    if (!is_allowed || tries >= policy.attempts) co_return error;
    const Duration delay = delay_after(policy.backoff, tries, session.core->runtime.random_bits());
    co_await session.core->runtime.sleep(session.tag(Operation::backoff), delay,
                                         Interrupt::allowed);
    const std::optional<Error> stop = co_await why_stop(session);
    if (stop) co_return stop->with_cause(error);
    co_return std::nullopt;
}

awaitable<Result<void>> prepare(const Session& session) {
    if (session.jobs().is_prepared) co_return Result<void>();
    std::vector<FileEntry> entries;
    entries.reserve(2);
    entries.push_back({FileEntry::Kind::folder, ".drydock", {}, 01777});
    entries.push_back(
        {FileEntry::Kind::file, ".drydock/guard", std::string(embedded::guard_script), 0755});
    for (std::uint32_t tries = 1; !session.jobs().is_prepared; ++tries) {
        const std::optional<Error> stop = co_await why_stop(session);
        if (stop) co_return *stop;
        const CallContext context = session.context(Operation::archive_put);
        Result<void> put =
            co_await session.core->backend.upload(context, session.sandbox(), "/", entries);
        if (put) {
            session.jobs().is_prepared = true;
            break;
        }
        const std::optional<Error> failure = co_await why_not_again(session, put.error(), tries);
        if (failure) co_return *failure;
    }
    co_return Result<void>();
}

awaitable<Result<std::string>> try_exec(const Session& session, const ExecSpec& spec,
                                        std::optional<Duration> limit) {
    const std::optional<Error> stop = co_await why_stop(session);
    if (stop) co_return *stop;
    const CallContext context = session.context(Operation::exec_create, limit);
    Result<std::string> created =
        co_await session.core->backend.exec_create(context, session.sandbox(), spec);
    co_return created;
}

awaitable<Result<std::string>> create_exec(const Session& session, const ExecSpec& spec) {
    for (std::uint32_t tries = 1;; ++tries) {
        Result<std::string> created = co_await try_exec(session, spec);
        if (created) co_return created;
        const std::optional<Error> failure =
            co_await why_not_again(session, created.error(), tries);
        if (failure) co_return *failure;
    }
}

Error in_doubt(const Error& error) {
    Error doubtful({.kind = error.kind(),
                    .landed = Landed::unknown,
                    .operation = error.operation(),
                    .status = error.status(),
                    .code = std::string(error.code()),
                    .message = std::string(error.message()),
                    .obligation = Obligation::remains});
    for (const Error& cause : error.causes()) {
        doubtful = doubtful.with_cause(cause);
    }
    return doubtful;
}

}  // namespace drydock::jobs
