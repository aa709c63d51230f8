#pragma once

#include <drydock/sim/program.hpp>
#include <drydock/transport.hpp>

namespace drydock::sim {

/// drydock::Transport of one incarnation of a program, at message fidelity: the request itself goes
/// to the engine's model, and the plan decides what becomes of it.
class SimTransport final : public Transport {
public:
    explicit SimTransport(Program& program) : program_(program) {}

    awaitable<Exchanged> exchange(Tag tag, Request request, Duration limit,
                                  Interrupt interrupt) override;
    awaitable<Opened> open(Tag tag, Request request, Duration limit, Interrupt interrupt) override;

private:
    Program& program_;
};

}  // namespace drydock::sim
