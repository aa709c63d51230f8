#include "jobs/follow.hpp"

#include "jobs/guard_stream.hpp"

#include <algorithm>
#include <utility>

namespace drydock::jobs {

namespace {

std::vector<std::string> follow_argv(const Session& session, const Output& output) {
    std::vector<std::string> argv = session.guard("follow");
    argv.push_back(output.has_sink() ? std::to_string(output.at().out) : "-");
    argv.push_back(output.has_sink() ? std::to_string(output.at().err) : "-");
    return argv;
}

Duration limit_until(const Session& session, Duration limit, std::optional<Time> until) {
    if (!until) return limit;
    const Duration left = *until - session.core->runtime.now();
    return std::clamp<Duration>(left, std::chrono::milliseconds(1), limit);
}

Error out_of_step(std::string message) {
    return Error({.kind = ErrorKind::protocol,
                  .landed = Landed::yes,
                  .operation = Operation::exec_read,
                  .message = std::move(message)});
}

// What one record changes. An exception is the sink's.
void meet(Record record, Output& output, Followed& followed) {
    switch (record.kind) {
        case Record::Kind::bytes:
            if (!output.take(std::move(record))) {
                followed.error = out_of_step("the guard's output skips some of the job's");
            }
            return;
        case Record::Kind::live:
            output.confirm();
            followed.has_life = true;
            return;
        case Record::Kind::end: break;
        default: followed.error = out_of_step("the guard answers to something else"); return;
    }
    followed.ending = read_ending(record.bytes);
    if (!followed.ending) {
        followed.error = out_of_step("an end that says nothing: " + record.bytes);
        return;
    }
    const Ending& ending = *followed.ending;
    const bool has_sizes =
        ending.kind == Ending::Kind::code || ending.kind == Ending::Kind::unknown;
    if (!has_sizes || output.is_complete(ending.out, ending.err)) output.confirm();
}

}  // namespace

awaitable<Followed> follow(const Session& session, Output& output, std::optional<Time> until) {
    const Policy& policy = session.core->policy;
    Followed followed;
    const OutputFrom begun = output.at();
    const ExecSpec spec = verb_of(follow_argv(session, output));
    Result<std::string> exec =
        co_await try_exec(session, spec, limit_until(session, policy.request_timeout, until));
    if (!exec) {
        followed.error = exec.error();
        co_return followed;
    }
    Result<GuardStream> guard =
        co_await open_guard(session, *exec, limit_until(session, policy.request_timeout, until));
    if (!guard) {
        followed.error = guard.error();
        co_return followed;
    }
    while (!followed.ending && !followed.error) {
        const Duration limit = limit_until(session, policy.job_idle, until);
        Result<Record> record = co_await guard->next(session, limit);
        if (record) {
            const std::optional<Error> thrown = guarded([&] {
                meet(std::move(*record), output, followed);
                if (!followed.error && guard->is_drained()) output.confirm();
            });
            if (thrown) followed.error = thrown;
        } else {
            followed.error = record.error();
        }
    }
    output.drop();
    const bool has_more = output.at().out != begun.out || output.at().err != begun.err;
    followed.has_life = followed.has_life || has_more;
    co_return followed;
}

}  // namespace drydock::jobs
