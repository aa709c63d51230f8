#include <drydock/sim/stream_line.hpp>

#include <drydock/sim/simulation.hpp>

#include <algorithm>
#include <utility>

namespace drydock::sim {

using Kind = faults::StreamFault::Kind;

/// One thing that reaches the client: bytes, or what comes after the last of them.
struct StreamLine::Arrival {
    std::string bytes{};
    std::optional<StreamPiece> last{};
    bool differs = false;
    bool is_cut = false;  ///< the fault's own end, which is none if the engine ended there as well
};

StreamLine::StreamLine(Simulation& simulation, std::uint8_t process, int status,
                       StreamClient client)
    : simulation_(simulation), client_(std::move(client)), process_(process), status_(status) {}

void StreamLine::tamper(faults::StreamFault fault, bool& witness) {
    tamper_ = StreamTamper(fault);
    witness_ = &witness;
}

void StreamLine::open() { pass({}); }

void StreamLine::send(std::string_view bytes) {
    if (!is_over() && !bytes.empty()) pass(bytes);
}

void StreamLine::end() {
    if (std::exchange(has_ended_, true)) return;
    client_ = {};
    if (hung_up_) return;
    if (tamper_.cut()) {
        withheld_ = withheld_ || tamper_.cut() == Kind::stall;
        return;
    }
    send_on({.last = StreamPiece(), .differs = withheld_});
}

void StreamLine::pass(std::string_view bytes) {
    if (!simulation_.faults_are_on()) tamper_.stop();
    const bool was_cut = tamper_.cut().has_value();
    StreamTamper::Passed passed = tamper_.pass(bytes);
    withheld_ = withheld_ || passed.withheld;
    if (!passed.bytes.empty()) {
        send_on({.bytes = std::move(passed.bytes), .differs = passed.differs});
    }
    if (!was_cut && tamper_.cut()) cut(*tamper_.cut());
}

void StreamLine::cut(Kind kind) {
    if (kind == Kind::stall) return;
    StreamPiece last;
    if (kind == Kind::reset) last.failure = failure(TransportFailure::Cause::reset);
    const bool is_end = kind == Kind::eof;
    send_on({.last = std::move(last), .differs = !is_end, .is_cut = is_end});
    tell_left();
}

void StreamLine::send_on(Arrival arrival) {
    simulation_.world().call_after(
        simulation_.options().downlink,
        [self = shared_from_this(), arrival = std::move(arrival)]() mutable {
            self->arrive(std::move(arrival));
        });
}

void StreamLine::arrive(Arrival arrival) {
    if (hung_up_) return;
    arrived_ += arrival.bytes;
    differs_ = differs_ || arrival.differs || (arrival.is_cut && (withheld_ || !has_ended_));
    if (arrival.last) last_ = std::move(arrival.last);
    serve();
}

void StreamLine::read(Promise<StreamPiece> reader) {
    reader_ = reader;
    serve();
}

void StreamLine::serve() {
    const bool has_something = taken_ < arrived_.size() || last_;
    if (has_something && reader_.wanted()) reader_.fulfil(take());
}

StreamPiece StreamLine::take() {
    if (differs_) show();
    if (taken_ == arrived_.size()) return *last_;
    const std::size_t there = arrived_.size() - taken_;
    if (there > tamper_.piece()) show();
    StreamPiece piece{.bytes = arrived_.substr(taken_, tamper_.piece())};
    taken_ += piece.bytes.size();
    if (taken_ == arrived_.size()) {
        arrived_.clear();
        taken_ = 0;
    }
    return piece;
}

void StreamLine::hang_up() {
    if (std::exchange(hung_up_, true)) return;
    arrived_.clear();
    taken_ = 0;
    differs_ = false;
    tell_left();
}

void StreamLine::tell_left() {
    if (has_ended_) return;
    simulation_.world().call_after(simulation_.options().uplink, [self = shared_from_this()] {
        const StreamClient client = std::exchange(self->client_, {});
        if (client.left) client.left();
    });
}

TransportFailure StreamLine::fail(TransportFailure::Cause cause) {
    // Only a stalled line keeps back what the reader was waiting for.
    if (withheld_ && tamper_.cut() == Kind::stall) show();
    hang_up();
    last_ = StreamPiece{.failure = failure(cause)};
    return *last_->failure;
}

TransportFailure StreamLine::failure(TransportFailure::Cause cause) const {
    return {.cause = cause, .progress = Progress::reply_begun, .status = status_};
}

void StreamLine::show() noexcept {
    if (witness_ != nullptr) *witness_ = true;
}

}  // namespace drydock::sim
