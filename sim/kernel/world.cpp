#include <drydock/sim/world.hpp>

#include <drydock/sim/process.hpp>

#include "kernel/frame_recycling.hpp"

#include <cassert>

namespace drydock::sim {

/// Restores the scheduler's state also when a handler throws out of the run.
class World::Running {
public:
    Running(World& world, Process* process) noexcept : world_(world) {
        world_.current_ = process;
        world_.running_ = true;
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        world_.current_ = nullptr;
        world_.running_ = false;
    }

private:
    World& world_;
};

World::World(Pool* shared)
    : pool_(shared != nullptr ? *shared : own_pool_.emplace()), timers_(pool_) {}

World::~World() {
    assert(process_count_ == 0 && "a Process must not outlive its World");
    drop_all_of(nullptr);
    bury();
}

std::uint64_t World::run() {
    const FrameRecycling recycling;
    const std::uint64_t before = steps_;
    stopped_ = false;
    while (!stopped_ && step()) {
    }
    return steps_ - before;
}

std::uint64_t World::run_until(Time limit) {
    const FrameRecycling recycling;
    const std::uint64_t before = steps_;
    stopped_ = false;
    while (!stopped_) {
        if (ready_.empty() && (timers_.empty() || timers_.next_due() > limit)) {
            now_ = limit > now_ ? limit : now_;
            break;
        }
        if (!step()) {
            break;
        }
    }
    return steps_ - before;
}

bool World::run_until_true(bool (*ask)(void* what), void* what) {
    const FrameRecycling recycling;
    stopped_ = false;
    while (!ask(what)) {
        if (stopped_ || !step()) {
            return false;
        }
    }
    return true;
}

bool World::step() {
    assert(!running_ && "a handler must not run the world");
    Op* op = next_op();
    if (op == nullptr) {
        return false;
    }
    run_one(*op);
    return true;
}

bool World::idle() const noexcept {
    return ready_.empty() && (timers_.empty() || timers_.next_due() == Time::max());
}

Op* World::next_op() noexcept {
    if (Op* op = ready_.pop()) {
        return op;
    }
    if (timers_.empty() || timers_.next_due() == Time::max()) {
        return nullptr;
    }
    now_ = timers_.next_due();
    Op& op = timers_.next();
    timers_.remove(op);
    if (!timers_.empty()) {
        // With many processes the next op is cold: fetch it while this one runs.
        const char* following = reinterpret_cast<const char*>(&timers_.next());
        __builtin_prefetch(following);
        __builtin_prefetch(following + 64);
    }
    return &op;
}

void World::run_one(Op& op) {
    ++steps_;
    {
        const Running running(*this, op.owner);
        op.function(*this, &op, Op::Order::run);
    }
    if (!graveyard_.empty() || dying_ != nullptr) {
        bury();
    }
}

Op* World::claim(Ticket ticket) noexcept {
    Op* op = timers_.find(ticket);
    if (op != nullptr) {
        timers_.remove(*op);
    }
    return op;
}

void World::entomb(Op& op) {
    graveyard_.push(op);
    if (!running_ && !burying_) {
        bury();
    }
}

void World::crashed(Process& process) {
    drop_all_of(&process);
    process.next_dying_ = dying_;
    dying_ = &process;
    if (!running_ && !burying_) {
        bury();
    }
}

void World::drop_all_of(const Process* owner) noexcept {
    OpQueue ready = ready_.take();
    while (Op* op = ready.pop()) {
        (op->owner == owner ? graveyard_ : ready_).push(*op);
    }
    // Two passes: removing while walking would move entries past the walk.
    OpQueue armed;
    for (std::size_t i = 0; i < timers_.size(); ++i) {
        if (timers_.at(i).owner == owner) {
            armed.push(timers_.at(i));
        }
    }
    while (Op* op = armed.pop()) {
        timers_.remove(*op);
        graveyard_.push(*op);
    }
}

// Destroying a suspended coroutine makes Asio post the frame's destruction to its (dead) executor,
// and shutting services down frees further handlers: so until nothing comes any more.
void World::bury() {
    const bool outer = !burying_;
    burying_ = true;
    for (;;) {
        while (Op* op = graveyard_.pop()) {
            op->function(*this, op, Op::Order::destroy);
        }
        if (dying_ == nullptr) {
            break;
        }
        Process* process = dying_;
        dying_ = process->next_dying_;
        process->shutdown();
    }
    if (outer) {
        burying_ = false;
    }
}

std::size_t World::count(const Process* owner) const noexcept {
    std::size_t found = 0;
    for (const Op* op = ready_.front(); op != nullptr; op = op->next) {
        found += op->owner == owner ? 1U : 0U;
    }
    for (std::size_t i = 0; i < timers_.size(); ++i) {
        found += timers_.at(i).owner == owner ? 1U : 0U;
    }
    return found;
}

}  // namespace drydock::sim
