#include "seams/sim_stream.hpp"

#include "seams/suspension.hpp"

#include <boost/asio/deferred.hpp>

namespace drydock::sim {
namespace {

Received failed(Suspension& suspension, const TransportFailure& failure) {
    suspension.completed(failure_base + static_cast<std::uint64_t>(failure.cause));
    return failure;
}

Received outcome_of(Suspension& suspension, StreamLine& line, Settled<StreamPiece> settled) {
    using Cause = TransportFailure::Cause;
    if (settled.wake != Wake::done) {
        const auto cause = settled.wake == Wake::cancelled ? Cause::cancelled : Cause::timeout;
        return failed(suspension, line.fail(cause));
    }
    if (settled.value.failure) return failed(suspension, *settled.value.failure);
    suspension.completed(0, static_cast<std::uint32_t>(settled.value.bytes.size()));
    return std::move(settled.value.bytes);
}

}  // namespace

awaitable<Received> SimStream::read(Tag tag, Duration limit, Interrupt interrupt) {
    // The line may outlive this object, and the read must.
    const std::shared_ptr<StreamLine> line = line_;
    Suspension suspension(program_, tag);
    if (suspension.is_chosen()) {
        const bool goes_on = co_await suspension.before(interrupt);
        if (!goes_on) {
            co_return failed(suspension, line->fail(TransportFailure::Cause::cancelled));
        }
        co_await suspension.arm_in_flight();
    }
    auto start = [line](Promise<StreamPiece> reader) { line->read(reader); };
    Settled<StreamPiece> settled = co_await async_pending<StreamPiece>(
        suspension.executor(), limit, interrupt, std::move(start), asio::deferred);
    if (suspension.is_chosen()) co_await suspension.with_completion();
    co_return outcome_of(suspension, *line, std::move(settled));
}

}  // namespace drydock::sim
