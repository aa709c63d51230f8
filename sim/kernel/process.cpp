#include <drydock/sim/process.hpp>

#include <cassert>
#include <utility>

namespace drydock::sim {

Process::Process(World& world, std::uint8_t id, std::string name)
    : world_(world), name_(std::move(name)), id_(id) {
    ++world_.process_count_;
}

Process::~Process() {
    assert(world_.current_ != this && "a handler must not destroy its own process");
    crash();
    // Also where the crash left this to the scheduler: nothing may name this process afterwards.
    world_.bury();
    --world_.process_count_;
}

void Process::crash() {
    if (!alive_) {
        return;
    }
    alive_ = false;
    world_.crashed(*this);
}

void Executor::submit(Op& op) const {
    if (process_->alive()) {
        world().make_ready(op);
    } else {
        world().entomb(op);
    }
}

namespace detail {

bool is_alive(const Process& process) noexcept { return process.alive(); }

}  // namespace detail

}  // namespace drydock::sim
