#pragma once

#include <drydock/sim/op.hpp>
#include <drydock/sim/pool.hpp>
#include <drydock/time.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace drydock::sim {

/// Names one armed op without owning it. Worth nothing as soon as the op is no longer armed,
/// whatever became of it and of its memory.
struct Ticket {
    std::uint32_t slot = Op::none;
    std::uint32_t generation = 0;
};

/// Deadlines by time, equal ones in arming order. Ops that wait without a limit stand here too, at
/// Time::max().
///
/// A 4-ary heap of 16-byte entries that carry their key; where an entry stands is kept in a dense
/// table of slots, not in the op. So neither comparing nor moving touches an op, which with many of
/// them is a cache miss each; disarming needs no search and leaves no tombstone; and a slot and its
/// generation are the ticket that others hold instead of a pointer.
class TimerHeap {
public:
    explicit TimerHeap(Pool& pool)
        : entries_(PoolAllocator<Entry>(pool)), slots_(PoolAllocator<Slot>(pool)) {}

    bool empty() const noexcept { return entries_.size() <= root; }
    std::size_t size() const noexcept { return empty() ? 0 : entries_.size() - root; }
    Time next_due() const noexcept { return entries_[root].due; }
    Op& next() const noexcept { return at(0); }
    /// For walks over all, in no meaningful (but a reproducible) order.
    Op& at(std::size_t index) const noexcept { return *slots_[slot_of(entries_[root + index])].op; }

    Ticket push(Op& op, Time due) {
        const std::uint32_t slot = take_slot(op);
        if (entries_.size() == entries_.capacity()) {
            grow();
        }
        const Entry entry{due, next_order_++ << slot_bits | slot};
        entries_.push_back(entry);
        sift_up(entries_.size() - 1, entry);
        return Ticket{slot, slots_[slot].generation};
    }

    /// The ticket's op, or null if it is not armed any more.
    Op* find(Ticket ticket) const noexcept {
        if (ticket.slot >= slots_.size() || slots_[ticket.slot].generation != ticket.generation) {
            return nullptr;
        }
        return slots_[ticket.slot].op;
    }

    void remove(Op& op) noexcept {
        const std::size_t hole = slots_[op.slot].position;
        release_slot(op);
        const Entry last = entries_.back();
        entries_.pop_back();
        if (hole == entries_.size()) {
            return;
        }
        // What stood last belongs near a leaf nearly always: so the hole goes down first, whatever
        // comes up does so afterwards.
        if (hole == root || before(entries_[parent(hole)], last)) {
            sift_up(sink(hole), last);
        } else {
            sift_up(hole, last);
        }
    }

private:
    static constexpr std::size_t arity = 4;
    // The root stands at 3, so that the four children of any entry fill one cache line.
    static constexpr std::size_t root = 3;
    static constexpr std::size_t initial_capacity = 16;
    static constexpr unsigned slot_bits = 24;  // 16 million armed ops, 10^12 armings

    struct Entry {
        Time due;
        std::uint64_t order_and_slot;  ///< the slot in the low bits never decides
    };
    struct Slot {
        Op* op;                  ///< null while free
        std::uint32_t position;  ///< in entries_; while free, the next free slot
        std::uint32_t generation;
    };

    static std::size_t slot_of(const Entry& entry) noexcept {
        return entry.order_and_slot & ((std::uint64_t{1} << slot_bits) - 1);
    }
    static std::size_t first_child(std::size_t index) noexcept { return (index - 2) * arity; }
    static std::size_t parent(std::size_t index) noexcept { return index / arity + 2; }
    // Without short-circuits: which child is least is a coin toss that no branch predictor wins.
    static bool before(const Entry& a, const Entry& b) noexcept {
        const int earlier = a.due < b.due ? 1 : 0;
        const int level = a.due == b.due ? 1 : 0;
        const int first = a.order_and_slot < b.order_and_slot ? 1 : 0;
        return (earlier | (level & first)) != 0;
    }

    void put(std::size_t index, const Entry& entry) noexcept {
        entries_[index] = entry;
        slots_[slot_of(entry)].position = static_cast<std::uint32_t>(index);
    }

    void sift_up(std::size_t hole, Entry entry) noexcept {
        while (hole > root && before(entry, entries_[parent(hole)])) {
            put(hole, entries_[parent(hole)]);
            hole = parent(hole);
        }
        put(hole, entry);
    }

    /// Moves the hole to a leaf, the least child taking its place each time.
    std::size_t sink(std::size_t hole) noexcept {
        const std::size_t size = entries_.size();
        for (;;) {
            const std::size_t first = first_child(hole);
            if (first >= size) {
                return hole;
            }
            const std::size_t least = least_child(first, size);
            put(hole, entries_[least]);
            hole = least;
        }
    }

    std::size_t least_child(std::size_t first, std::size_t size) const noexcept {
        if (first + arity <= size) {
            const Entry* child = &entries_[first];
            const std::size_t left = before(child[1], child[0]) ? 1 : 0;
            const std::size_t right = before(child[3], child[2]) ? 3 : 2;
            return first + (before(child[right], child[left]) ? right : left);
        }
        std::size_t least = first;
        for (std::size_t child = first + 1; child < size; ++child) {
            least = before(entries_[child], entries_[least]) ? child : least;
        }
        return least;
    }

    std::uint32_t take_slot(Op& op) {
        if (free_ == Op::none) {
            add_slot();
        }
        op.slot = free_;
        Slot& slot = slots_[free_];
        free_ = slot.position;
        slot.op = &op;
        return op.slot;
    }

    void release_slot(Op& op) noexcept {
        Slot& slot = slots_[op.slot];
        slot.op = nullptr;
        slot.position = free_;
        ++slot.generation;
        free_ = op.slot;
        op.slot = Op::none;
    }

    void grow();
    void add_slot();

    std::vector<Entry, PoolAllocator<Entry>> entries_;
    std::vector<Slot, PoolAllocator<Slot>> slots_;
    std::uint32_t free_ = Op::none;
    std::uint64_t next_order_ = 0;
};

}  // namespace drydock::sim
