#pragma once

#include <drydock/faults/stream_fault.hpp>
#include <drydock/sim/backend_model.hpp>
#include <drydock/sim/pending.hpp>
#include <drydock/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace drydock::sim {

class Simulation;

/// A stream fault at work: makes of the bytes that leave the engine those that the line carries on.
class StreamTamper {
public:
    struct Passed {
        std::string bytes{};
        bool differs = false;   ///< from what was sent, also by what is missing before it
        bool withheld = false;  ///< some of it will never come
    };

    StreamTamper() = default;
    explicit StreamTamper(faults::StreamFault fault);

    Passed pass(std::string_view sent);
    /// What has not struck yet never will.
    void stop();

    /// Nothing passes any more, and this is why.
    std::optional<faults::StreamFault::Kind> cut() const noexcept { return cut_; }
    /// At most that many bytes come at once.
    std::size_t piece() const noexcept { return piece_; }

private:
    void strike(Passed& passed);

    std::optional<faults::StreamFault> fault_;
    std::uint64_t untouched_ = 0;  ///< so many bytes more come as they are
    std::uint64_t missing_ = 0;    ///< and then so many do not come
    std::string tail_;             ///< what may have to come again
    std::size_t piece_ = std::string::npos;
    std::optional<faults::StreamFault::Kind> cut_;
    bool has_struck_ = false;
    bool has_gap_ = false;  ///< bytes are missing before what passes next
};

/// What one read of a stream gets. Neither bytes nor a failure: the clean end.
struct StreamPiece {
    std::string bytes{};
    std::optional<TransportFailure> failure{};
};

/// The bytes of one reply on their way from the engine to its client, in order, each one latency
/// after it left.
class StreamLine final : public ReplyStream, public std::enable_shared_from_this<StreamLine> {
public:
    StreamLine(Simulation& simulation, std::uint8_t process, int status, StreamClient client);

    /// A fault to come; `witness` becomes true when the client sees it.
    void tamper(faults::StreamFault fault, bool& witness);
    /// The head has left.
    void open();

    // the engine's end
    void send(std::string_view bytes) override;
    void end() override;

    // the client's end
    /// What is there, or else what comes next.
    void read(Promise<StreamPiece> reader);
    /// Nobody reads any more; the engine learns it one latency later.
    void hang_up();
    /// A read ended otherwise than by what came: closes, and every later read ends like that too.
    TransportFailure fail(TransportFailure::Cause cause);

    std::uint8_t process() const noexcept { return process_; }
    bool is_over() const noexcept { return has_ended_ || hung_up_; }
    /// Forgets the client without a word: the world is ending.
    void abandon() noexcept { client_ = {}; }

private:
    struct Arrival;

    TransportFailure failure(TransportFailure::Cause cause) const;
    void pass(std::string_view bytes);
    void cut(faults::StreamFault::Kind kind);
    void send_on(Arrival arrival);
    void arrive(Arrival arrival);
    void serve();
    StreamPiece take();
    void tell_left();
    void show() noexcept;

    Simulation& simulation_;
    StreamClient client_;
    std::uint8_t process_;
    int status_;
    StreamTamper tamper_;
    bool* witness_ = nullptr;
    bool has_ended_ = false;  ///< the engine said so
    bool withheld_ = false;   ///< something that the engine sent never arrives
    bool hung_up_ = false;

    std::string arrived_;
    std::size_t taken_ = 0;            ///< so many of `arrived_` were read
    std::optional<StreamPiece> last_;  ///< the end or the failure that comes after it
    bool differs_ = false;             ///< what arrived is not what was sent
    Promise<StreamPiece> reader_;
};

}  // namespace drydock::sim
