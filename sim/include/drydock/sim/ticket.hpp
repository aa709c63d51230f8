#pragma once

#include <drydock/sim/op.hpp>
#include <drydock/sim/pool.hpp>

#include <cstdint>
#include <vector>

namespace drydock::sim {

/// Names one armed op without owning it. Worth nothing as soon as the op is no longer armed,
/// whatever became of it and of its memory.
struct Ticket {
    std::uint32_t slot = Op::none;
    std::uint32_t generation = 0;
};

/// Who holds which ticket: a dense table, so that an op needs no shared ownership.
class TicketTable {
public:
    explicit TicketTable(Pool& pool) : slots_(PoolAllocator<Slot>(pool)) {}

    Ticket issue(Op& op) {
        if (free_ == Op::none) {
            if (slots_.size() == slots_.capacity()) {
                slots_.reserve(slots_.empty() ? 16 : slots_.size() * 2);
            }
            free_ = static_cast<std::uint32_t>(slots_.size());
            slots_.push_back(Slot{nullptr, 0, Op::none});
        }
        const std::uint32_t index = free_;
        Slot& slot = slots_[index];
        free_ = slot.next_free;
        slot.op = &op;
        op.ticket = index;
        return Ticket{index, slot.generation};
    }

    /// The ticket that was issued for an op that still has one.
    Ticket of(const Op& op) const noexcept { return Ticket{op.ticket, slots_[op.ticket].generation}; }

    Op* find(Ticket ticket) const noexcept {
        if (ticket.slot >= slots_.size() || slots_[ticket.slot].generation != ticket.generation) {
            return nullptr;
        }
        return slots_[ticket.slot].op;
    }

    void release(Op& op) noexcept {
        Slot& slot = slots_[op.ticket];
        slot.op = nullptr;
        ++slot.generation;
        slot.next_free = free_;
        free_ = op.ticket;
        op.ticket = Op::none;
    }

private:
    struct Slot {
        Op* op;
        std::uint32_t generation;
        std::uint32_t next_free;
    };

    std::vector<Slot, PoolAllocator<Slot>> slots_;
    std::uint32_t free_ = Op::none;
};

}  // namespace drydock::sim
