#include "jobs/guard_stream.hpp"

#include "manager/ending.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace drydock::jobs {

namespace {

constexpr std::size_t longest_complaint = 200;

std::string on_one_line(std::string_view text) {
    std::string line(text);
    std::replace_if(line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, ' ');
    return line;
}

}  // namespace

awaitable<Result<Record>> GuardStream::next(const Session& session, Duration limit) {
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    for (;;) {
        std::optional<Record> record = records_.next();
        if (record) co_return std::move(*record);
        if (records_.failed()) {
            co_return broken(ErrorKind::protocol,
                             "no record of the guard: " + on_one_line(records_.rest()));
        }
        // One that fell together with a piece struck no read.
        if (state.cancelled() != asio::cancellation_type::none) {
            co_return detail::given_up(Wake::cancelled);
        }
        const CallContext context = session.context(Operation::exec_read, limit);
        Result<ExecOutput> output = co_await stream_->read(context);
        if (!output) co_return output.error();
        if (output->bytes.empty()) {
            co_return broken(ErrorKind::reset, "the guard's output ended without an end");
        }
        if (output->source == ExecOutput::Source::out) {
            records_.add(output->bytes);
        } else {
            complaint_.append(output->bytes);
            complaint_.resize(std::min(complaint_.size(), longest_complaint));
        }
    }
}

Error GuardStream::broken(ErrorKind kind, std::string message) const {
    if (!complaint_.empty()) message.append("; it says: ").append(on_one_line(complaint_));
    return Error({.kind = kind,
                  .landed = Landed::yes,
                  .operation = Operation::exec_read,
                  .message = std::move(message)});
}

ExecSpec verb_of(std::vector<std::string> argv) {
    ExecSpec spec;
    spec.argv = std::move(argv);
    spec.has_output = true;
    return spec;
}

awaitable<Result<GuardStream>> open_guard(const Session& session, const std::string& exec,
                                          std::optional<Duration> limit) {
    const std::optional<Error> stop = co_await why_stop(session);
    if (stop) co_return *stop;
    const CallContext context = session.context(Operation::exec_start, limit);
    Result<std::unique_ptr<ExecStream>> opened =
        co_await session.core->backend.exec_open(context, exec);
    if (!opened) co_return opened.error();
    co_return GuardStream(std::move(*opened));
}

}  // namespace drydock::jobs
