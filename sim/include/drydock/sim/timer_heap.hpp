#pragma once

#include <drydock/sim/op.hpp>
#include <drydock/sim/pool.hpp>
#include <drydock/time.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace drydock::sim {

/// Deadlines by time, equal ones in arming order. A 4-ary heap whose entries carry their key, so that
/// comparing touches no op; each op knows its position, so that disarming needs no search and leaves
/// no tombstone. Ops that wait without a limit stand here too, at `Time::max()`.
class TimerHeap {
public:
    struct Entry {
        Time due;
        std::uint64_t order;
        Op* op;
    };
    using Entries = std::vector<Entry, PoolAllocator<Entry>>;

    explicit TimerHeap(Pool& pool) : entries_(PoolAllocator<Entry>(pool)) {}

    const Entries& entries() const noexcept { return entries_; }
    bool empty() const noexcept { return entries_.empty(); }
    const Entry& front() const noexcept { return entries_.front(); }

    void push(Op& op, Time due) {
        if (entries_.size() == entries_.capacity()) {
            grow();
        }
        const Entry entry{due, next_order_++, &op};
        entries_.push_back(entry);
        sift_up(entries_.size() - 1, entry);
    }

    void remove(Op& op) noexcept {
        const std::size_t hole = op.position;
        op.position = Op::none;
        const Entry last = entries_.back();
        entries_.pop_back();
        if (hole == entries_.size()) {
            return;
        }
        if (hole > 0 && before(last, entries_[parent(hole)])) {
            sift_up(hole, last);
        } else {
            sift_down(hole, last);
        }
    }

private:
    static constexpr std::size_t arity = 4;

    static std::size_t parent(std::size_t index) noexcept { return (index - 1) / arity; }
    static bool before(const Entry& a, const Entry& b) noexcept {
        return a.due != b.due ? a.due < b.due : a.order < b.order;
    }

    void put(std::size_t index, const Entry& entry) noexcept {
        entries_[index] = entry;
        entry.op->position = static_cast<std::uint32_t>(index);
    }

    void sift_up(std::size_t hole, Entry entry) noexcept {
        while (hole > 0 && before(entry, entries_[parent(hole)])) {
            put(hole, entries_[parent(hole)]);
            hole = parent(hole);
        }
        put(hole, entry);
    }

    void sift_down(std::size_t hole, Entry entry) noexcept {
        const std::size_t size = entries_.size();
        for (;;) {
            const std::size_t first = arity * hole + 1;
            if (first >= size) {
                break;
            }
            const std::size_t end = first + arity < size ? first + arity : size;
            std::size_t least = first;
            for (std::size_t child = first + 1; child < end; ++child) {
                if (before(entries_[child], entries_[least])) {
                    least = child;
                }
            }
            if (!before(entries_[least], entry)) {
                break;
            }
            put(hole, entries_[least]);
            hole = least;
        }
        put(hole, entry);
    }

    void grow() { entries_.reserve(entries_.empty() ? 16 : entries_.size() * 2); }

    Entries entries_;
    std::uint64_t next_order_ = 0;
};

}  // namespace drydock::sim
