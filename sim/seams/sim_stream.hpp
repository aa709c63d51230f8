#pragma once

#include <drydock/sim/program.hpp>
#include <drydock/sim/stream_line.hpp>
#include <drydock/transport.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace drydock::sim {

// Values of `completed` events: a status as it is, a failure beyond all statuses.
inline constexpr std::uint64_t failure_base = 1000;

/// The client's end of a line. A process that crashes closes its lines by itself.
class SimStream final : public ByteStream {
public:
    SimStream(Program& program, std::shared_ptr<StreamLine> line)
        : program_(program), line_(std::move(line)) {}
    SimStream(const SimStream&) = delete;
    SimStream& operator=(const SimStream&) = delete;
    ~SimStream() override { line_->hang_up(); }

    awaitable<Received> read(Tag tag, Duration limit, Interrupt interrupt) override;

private:
    Program& program_;
    std::shared_ptr<StreamLine> line_;
};

}  // namespace drydock::sim
