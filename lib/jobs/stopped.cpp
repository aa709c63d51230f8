#include "jobs/stopped.hpp"

#include <utility>

namespace drydock::jobs {

namespace {

Stopped::Kind kind_of(const SandboxInfo& sandbox) {
    switch (sandbox.state) {
        case SandboxState::stopped:
            return sandbox.is_paused ? Stopped::Kind::paused : Stopped::Kind::exited;
        case SandboxState::failed: return Stopped::Kind::exited;
        default: return Stopped::Kind::usable;
    }
}

}  // namespace

// The state first: what an exited sandbox's files say then does not change any more.
awaitable<Result<Stopped>> look_at_stopped(const Session& session) {
    std::optional<Error> stop = co_await why_stop(session);
    if (stop) co_return *stop;
    const CallContext inspecting = session.context(Operation::container_inspect);
    Result<SandboxInfo> sandbox =
        co_await session.core->backend.inspect(inspecting, session.sandbox());
    Stopped stopped;
    if (sandbox) {
        stopped.kind = kind_of(*sandbox);
    } else if (sandbox.error().kind() == ErrorKind::not_found) {
        stopped.kind = Stopped::Kind::gone;
    } else {
        co_return sandbox.error();
    }
    const bool has_files =
        stopped.kind == Stopped::Kind::paused || stopped.kind == Stopped::Kind::exited;
    if (!has_files) co_return stopped;
    stop = co_await why_stop(session);
    if (stop) co_return *stop;
    const CallContext reading = session.context(Operation::archive_get);
    const std::string path = "/.drydock/" + session.job;
    Result<std::vector<FileEntry>> entries =
        co_await session.core->backend.download(reading, session.sandbox(), path);
    if (entries) {
        stopped.folder = read_folder(*entries);
    } else if (entries.error().kind() != ErrorKind::not_found) {
        co_return entries.error();
    }
    co_return stopped;
}

}  // namespace drydock::jobs
