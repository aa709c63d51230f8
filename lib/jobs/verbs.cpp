#include "jobs/verbs.hpp"

#include "jobs/ending.hpp"
#include "jobs/guard_stream.hpp"
#include "jobs/ids.hpp"
#include "jobs/stopped.hpp"

#include <utility>

namespace drydock::jobs {

namespace {

Error not_sent(const Error& error) {
    return Error({.kind = error.kind(),
                  .landed = Landed::no,
                  .operation = error.operation(),
                  .status = error.status(),
                  .code = std::string(error.code()),
                  .message = std::string(error.message())});
}

// The guard's one answer to a verb that is sent once. What fails before the exec is started has not
// landed; afterwards nobody can say.
awaitable<Result<Record>> ask_once(const Session& session, std::vector<std::string> argv) {
    const ExecSpec spec = verb_of(std::move(argv));
    Result<void> prepared = co_await prepare(session);
    if (!prepared) co_return not_sent(prepared.error());
    Result<std::string> exec = co_await create_exec(session, spec);
    if (!exec) co_return not_sent(exec.error());
    Result<GuardStream> guard = co_await open_guard(session, *exec);
    if (!guard) {
        const Error error = guard.error();
        co_return error.landed() == Landed::no ? error : in_doubt(error);
    }
    Result<Record> record = co_await guard->next(session, session.core->policy.request_timeout);
    if (!record) co_return in_doubt(record.error());
    co_return record;
}

Error no_answer(const Record& record) {
    return Error({.kind = ErrorKind::protocol,
                  .landed = Landed::unknown,
                  .operation = Operation::exec_read,
                  .message = "not the guard's answer: " + record.bytes});
}

// Why the guard would not touch the job's stdin.
Error no_reader(const Record& record) {
    const std::optional<Ending> ending = read_ending(record.bytes);
    if (record.kind != Record::Kind::end || !ending || ending->kind == Ending::Kind::broken) {
        return no_answer(record);
    }
    if (ending->kind == Ending::Kind::absent) {
        return Error({.kind = ErrorKind::not_found,
                      .operation = Operation::exec_start,
                      .message = "no job of that id is known in the sandbox"});
    }
    return Error({.kind = ErrorKind::conflict,
                  .operation = Operation::exec_start,
                  .message = "nobody reads the job's stdin any more"});
}

Error not_killed(ErrorKind kind, std::string message) {
    return Error({.kind = kind,
                  .landed = Landed::unknown,
                  .operation = Operation::exec_read,
                  .message = std::move(message),
                  .obligation = Obligation::remains});
}

Result<JobResult> killed(const Ending& ending) {
    JobResult result;
    result.out.size = ending.out;
    result.err.size = ending.err;
    switch (ending.kind) {
        case Ending::Kind::code:
            result.state = JobState::ended;
            result.exit_code = ending.code;
            return result;
        case Ending::Kind::unknown: result.state = JobState::killed; return result;
        case Ending::Kind::fenced: result.state = JobState::not_begun; return result;
        case Ending::Kind::left:
            return not_killed(ErrorKind::unavailable,
                              "processes of the job could not be killed: " + ending.text);
        case Ending::Kind::broken:
            return not_killed(ErrorKind::unavailable, "the guard cannot go on: " + ending.text);
        case Ending::Kind::absent: break;
    }
    return not_killed(ErrorKind::protocol, "the guard does not know a job that it was to fence");
}

// One try, over a link that may break anywhere.
awaitable<Result<JobResult>> try_kill(const Session& session) {
    const ExecSpec spec = verb_of(session.guard("kill"));
    Result<std::string> exec = co_await try_exec(session, spec);
    if (!exec) co_return exec.error();
    Result<GuardStream> guard = co_await open_guard(session, *exec);
    if (!guard) co_return guard.error();
    Result<Record> record = co_await guard->next(session, session.core->policy.request_timeout);
    if (!record) co_return record.error();
    const std::optional<Ending> ending = read_ending(record->bytes);
    if (record->kind != Record::Kind::end || !ending) co_return no_answer(*record);
    co_return killed(*ending);
}

// In a sandbox that has exited nothing runs any more; in a paused one nothing can be killed. What
// has not begun cannot be kept from it there.
Result<JobResult> killed_by_stop(const Stopped& stopped, const Error& conflict) {
    const bool is_ended =
        stopped.folder && (stopped.folder->code ||
                           (stopped.kind == Stopped::Kind::exited && stopped.folder->has_begun));
    const bool is_fenced =
        stopped.kind == Stopped::Kind::exited && stopped.folder && stopped.folder->is_fenced;
    JobResult result;
    if (stopped.kind == Stopped::Kind::gone) return result;
    if (is_fenced) {
        result.state = JobState::not_begun;
        return result;
    }
    if (!is_ended) return conflict;
    result.state = stopped.folder->code ? JobState::ended : JobState::ended_unknown;
    result.exit_code = stopped.folder->code;
    result.out.size = stopped.folder->out.size();
    result.err.size = stopped.folder->err.size();
    return result;
}

awaitable<Result<JobResult>> kill_once(const Session& session) {
    Result<JobResult> result = co_await try_kill(session);
    const bool is_stopped = !result && result.error().operation() == Operation::exec_create &&
                            (result.error().kind() == ErrorKind::conflict ||
                             result.error().kind() == ErrorKind::not_found);
    if (!is_stopped) co_return result;
    const Error refusal = result.error();
    Result<Stopped> stopped = co_await look_at_stopped(session);
    if (!stopped) co_return stopped.error();
    co_return killed_by_stop(*stopped, refusal);
}

// A job that has removed its own folder is unknown to the guard, which fences the new one.
JobResult with_memory(const Session& session, JobResult result) {
    if (result.state != JobState::not_begun) session.note_begun();
    if (session.has_begun() && result.state == JobState::not_begun) {
        result.state = JobState::ended_unknown;
    }
    return result;
}

}  // namespace

awaitable<Result<JobResult>> kill_job(const Session& session) {
    Result<void> prepared = co_await prepare(session);
    if (!prepared && prepared.error().kind() != ErrorKind::not_found) {
        co_return in_doubt(prepared.error());
    }
    for (std::uint32_t tries = 1;; ++tries) {
        Result<JobResult> result = co_await kill_once(session);
        if (result) {
            session.jobs().launched.erase(session.job);
            co_return with_memory(session, *result);
        }
        const std::optional<Error> failure = co_await why_not_again(session, result.error(), tries);
        if (failure) co_return in_doubt(*failure);
    }
}

awaitable<Result<void>> write_input(const Session& session, std::string bytes) {
    std::vector<std::string> argv = session.guard("input");
    argv.push_back(escaped(bytes));
    Result<Record> record = co_await ask_once(session, std::move(argv));
    if (!record) co_return record.error();
    if (record->kind != Record::Kind::written) co_return no_reader(*record);
    co_return Result<void>();
}

awaitable<Result<void>> close_input(const Session& session) {
    Result<Record> record = co_await ask_once(session, session.guard("close-input"));
    if (!record) co_return record.error();
    if (record->kind == Record::Kind::closed) co_return Result<void>();
    const Error error = no_reader(*record);
    if (error.kind() == ErrorKind::conflict) co_return Result<void>();
    co_return error;
}

}  // namespace drydock::jobs
